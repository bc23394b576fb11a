/**
 * Where secrets come from: the little that a kind of source has to say, and the kinds that are built. No other room can name what is
 * here; within this room it is a package of its own so that a kind is one file beside the others, and knows nothing of how a secret is
 * leased or injected.
 */
@NullMarked
package io.sallyport.credential.source;

import org.jspecify.annotations.NullMarked;
