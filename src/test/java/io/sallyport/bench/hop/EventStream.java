package io.sallyport.bench.hop;

import io.sallyport.testing.TestCertificates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLSocket;

/** How much later an event of a stream arrives. Sender and reader look at the same clock. */
final class EventStream {

    private EventStream() {}

    static void print(List<Contender> contenders, int originPort) throws Exception {
        System.out.printf(
                Locale.ROOT, "%n%d server-sent events, 10 ms apart, from sent to read:%n", BenchOrigin.EVENTS);
        for (Contender way : contenders) {
            read(way, originPort);
            long[] late = read(way, originPort);
            System.out.printf(
                    Locale.ROOT,
                    "%-15s %-7s p50 %.3f ms, p99 %.3f ms%n",
                    "event",
                    way.name(),
                    late[late.length / 2] / 1e6,
                    late[(int) (late.length * 0.99)] / 1e6);
        }
    }

    private static long[] read(Contender way, int originPort) throws IOException {
        try (Socket plain = new Socket("127.0.0.1", way.path().address().getPort())) {
            plain.setTcpNoDelay(true);
            if (way.path().tunnel() != null) {
                plain.getOutputStream().write(way.path().tunnel());
                head(plain.getInputStream());
            }
            SSLSocket tls = (SSLSocket) TestCertificates.trusting(way.trust())
                    .getSocketFactory()
                    .createSocket(plain, "localhost", originPort, true);
            tls.getOutputStream()
                    .write(("GET /events HTTP/1.1\r\nHost: localhost:" + originPort + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return events(new BufferedReader(new InputStreamReader(tls.getInputStream(), StandardCharsets.US_ASCII)));
        }
    }

    private static void head(InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf("\r\n\r\n") < 0) {
            read.append((char) in.read());
        }
    }

    private static long[] events(BufferedReader lines) throws IOException {
        long[] late = new long[BenchOrigin.EVENTS];
        int count = 0;
        for (String line = lines.readLine(); count < late.length && line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                late[count++] = System.nanoTime() - Long.parseLong(line.substring(6));
            }
        }
        if (count < late.length) {
            throw new IOException("the stream ended after " + count + " events");
        }
        Arrays.sort(late);
        return late;
    }
}
