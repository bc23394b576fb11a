/**
 * The door for agent runtimes: token exchange (RFC 8693), introspection (RFC 7662), metadata (RFC 8414) and keys (RFC 7517).
 */
@NullMarked
@ApplicationModule(
        allowedDependencies = {"document", "http", "store", "identity", "policy", "grant", "ledger", "rules"})
package io.sallyport.exchange;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
