/** The hop while somebody means it ill: hundreds that only hold on, floods, gigabytes that nobody takes. */
@NullMarked
package io.sallyport.bench.siege;

import org.jspecify.annotations.NullMarked;
