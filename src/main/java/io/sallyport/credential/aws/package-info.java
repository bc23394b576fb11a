/**
 * AWS's request signatures, version 4 and 4a: a request becomes its canonical form, that a string to sign, and that a signature. Also the
 * chunks of a streamed upload, each with a signature of its own. Plain computation: no I/O, no clock; the key is given and wiped by
 * whoever calls.
 */
@NullMarked
package io.sallyport.credential.aws;

import org.jspecify.annotations.NullMarked;
