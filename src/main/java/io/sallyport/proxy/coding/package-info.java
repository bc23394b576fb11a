/** Takes content codings off what a destination answers, as it comes, so that the scrubber can look into it. */
@NullMarked
package io.sallyport.proxy.coding;

import org.jspecify.annotations.NullMarked;
