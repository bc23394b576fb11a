package io.sallyport.net;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client for the broker's own calls. It passes the same guard as the hop: verified TLS, checked addresses, no redirects. */
public interface GuardedClient {

    /**
     * @param trust a PEM file of the only roots to trust; null for the system's
     * @param permitted reserved ranges that the document names
     * @param bearer value for Authorization; null for none
     * @param limit of the answer, in bytes
     */
    record Call(
            URI uri,
            @Nullable Path trust,
            List<Cidr> permitted,
            @Nullable String bearer,
            Duration timeout,
            int limit) {}

    /** @return the content of a 200; @throws IOException for everything else, saying what, without the bearer */
    byte[] get(Call call) throws IOException;
}
