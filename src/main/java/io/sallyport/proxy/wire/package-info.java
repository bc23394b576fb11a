/** Netty: pipelines, handlers, dialler, relay. Translates bytes to events and commands to bytes; never decides. */
@NullMarked
package io.sallyport.proxy.wire;

import org.jspecify.annotations.NullMarked;
