/**
 * HashiCorp Vault and OpenBao: the broker's one session there, and the source that reads from it. The product's Java driver speaks; what it
 * speaks over is the broker's guarded client.
 */
@NullMarked
package io.sallyport.credential.vault;

import org.jspecify.annotations.NullMarked;
