/**
 * The operator door: operator API and console. Delete it and the broker still runs.
 */
@NullMarked
@ApplicationModule(
        allowedDependencies = {
            "document",
            "http",
            "store",
            "net",
            "identity",
            "policy",
            "grant",
            "credential",
            "ledger",
            "rules",
            "revocation"
        })
package io.sallyport.admin;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
