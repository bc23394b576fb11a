/** AWS KMS, where the key of the database may be kept. */
@NullMarked
package io.sallyport.credential.kms;

import org.jspecify.annotations.NullMarked;
