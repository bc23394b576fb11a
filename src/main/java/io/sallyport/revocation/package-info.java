/**
 * Ends grants on demand: the operator's order and RFC 7009. Memory first, flows cut, then the record; and locks, which keep what was ended from being opened again.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"http", "store", "identity", "grant", "ledger"})
package io.sallyport.revocation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
