/**
 * The command line: talks to a broker over HTTP, and uses ledger and rules to verify and lint offline.
 */
@NullMarked
@ApplicationModule(
        allowedDependencies = {"document", "http", "store", "identity", "policy", "credential", "ledger", "rules"})
package io.sallyport.cli;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
