package io.sallyport.proxy.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate for one host, ready to be served.
 *
 * @param chain leaf first, without the root
 */
public record Leaf(PrivateKey key, List<X509Certificate> chain) {}
