/** The interception authority and the leaves it mints. Crypto only: no Netty, no sockets. */
@NullMarked
package io.sallyport.proxy.tls;

import org.jspecify.annotations.NullMarked;
