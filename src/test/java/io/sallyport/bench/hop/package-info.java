/** The benchmark of the hop: the same requests direct and through it, paired, over TLS, with every promise on. */
@NullMarked
package io.sallyport.bench.hop;

import org.jspecify.annotations.NullMarked;
