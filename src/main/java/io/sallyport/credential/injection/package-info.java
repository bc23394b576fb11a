/** The ways in which a secret stands in a request: one file a kind. */
@NullMarked
package io.sallyport.credential.injection;

import org.jspecify.annotations.NullMarked;
