/**
 * Lets a request out, with a credential that the agent never saw. Gate and Flow decide in plain Java; wire translates bytes; tls mints leaves.
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
            "rules"
        })
package io.sallyport.proxy;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
