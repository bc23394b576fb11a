/**
 * The append-only, tamper-evident record of what was decided and what left. An entry is canonical bytes with an RFC 6962 leaf hash and a hash chain over it.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"http", "store", "identity", "grant"})
package io.sallyport.ledger;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
