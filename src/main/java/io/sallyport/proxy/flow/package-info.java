/** One request's life: told what happened, answers what to do. No I/O, no clock, no threads. */
@NullMarked
package io.sallyport.proxy.flow;

import org.jspecify.annotations.NullMarked;
