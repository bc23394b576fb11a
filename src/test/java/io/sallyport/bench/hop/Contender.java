package io.sallyport.bench.hop;

import io.netty.handler.ssl.SslContext;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A way from the load to the origin.
 *
 * @param cpu of whatever stands between; null where nothing does
 * @param trust the roots that its client needs, in PEM form
 */
record Contender(
        String name,
        LoadRun.Path path,
        SslContext tls,
        @Nullable ProcessCpu cpu,
        Path trust) {

    double cpuSeconds() throws java.io.IOException {
        return cpu == null ? 0 : cpu.seconds();
    }
}
