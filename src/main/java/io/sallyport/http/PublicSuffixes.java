package io.sallyport.http;

import com.google.common.net.InternetDomainName;

/** Below which names strangers can register their own: the public suffix list, its private section included. */
final class PublicSuffixes {

    private PublicSuffixes() {}

    /** A single label counts as one, listed or not: {@code *.internal} would be everybody's. */
    static boolean contains(String host) {
        return host.indexOf('.') < 0
                || (InternetDomainName.isValid(host)
                        && InternetDomainName.from(host).isPublicSuffix());
    }
}
