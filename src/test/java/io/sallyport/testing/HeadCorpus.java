package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Requests that are known to be read in more than one way, their honest kin, and what may be done to them: seeded, so that a find stays found. */
public final class HeadCorpus {

    private static final String POST = "POST /v1/x HTTP/1.1\r\nHost: HOST\r\n";
    private static final String NEXT = "GET /v1/smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n";

    private static final List<String> WHOLE = List.of(
            "GET /v1/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET /v1/x?a=%7e&b=+ HTTP/1.0\r\nHost: HOST\r\nConnection: keep-alive\r\n\r\n",
            "\r\nGET /v1/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET https://HOST/v1/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
            POST + "Content-Length: 5\r\n\r\nhello" + NEXT,
            POST + "Content-Length: 0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n1;x\r\n!\r\n0;end\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\nTrailer: x\r\n\r\n1\r\na\r\n0\r\nX: 1\r\n\r\n" + NEXT,
            POST + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\nContent-Length: 100\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + NEXT,
            POST + "Content-Length: 5,5\r\n\r\nhello" + NEXT,
            POST + "Content-Length: +5\r\n\r\nhello" + NEXT,
            POST + "Content-Length : 5\r\n\r\nhello" + NEXT,
            POST + "Content-Length: 5\n\r\nhello" + NEXT,
            POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Foo: bar\r\n\rX: y\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer_Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n0005\r\nhello\r\n00\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5;\nX\r\nhello\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff5\r\nhello\r\n0\r\n\r\n" + NEXT,
            POST + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n" + NEXT,
            POST + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello" + NEXT,
            POST + "Connection: content-length, host\r\nContent-Length: 5\r\n\r\nhello" + NEXT,
            POST + "Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + NEXT,
            POST
                    + "Upgrade: h2c\r\n"
                    + "Connection: upgrade, http2-settings\r\n"
                    + "HTTP2-Settings: AA\r\n"
                    + "Content-Length: 1\r\n\r\n"
                    + "a",
            "GET /v1/x HTTP/1.1\r\nHost: HOST\r\nHost: other\r\n\r\n",
            "GET /v1/x HTTP/1.1\r\nHost: HOST\r\nX: " + "y".repeat(100) + "\r\n\r\n",
            "GET /v1/a/%2e%2e/x?q=%0d%0aX:1 HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET /v1/x\tHTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET  /v1/x HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET /v1/x HTTP/1.2\r\nHost: HOST\r\n\r\n",
            "GET /v1/x HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer mine\r\nX-Api-Key: mine\r\nCookie: a=b\r\n\r\n",
            "HEAD /v1/x HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\n\r\nhello" + NEXT);

    /** What parsers have disagreed about. */
    private static final List<String> SPARKS = List.of(
            "\r",
            "\n",
            "\r\n",
            "\r\n\r\n",
            "\0",
            "\t",
            " ",
            ":",
            ",",
            ";",
            "\u000b",
            "\u000c",
            "\u0085",
            "\u00a0",
            "\u00ff",
            "%",
            "%00",
            "%2e",
            "..",
            "//",
            "\\",
            "#",
            "?",
            "\"",
            "0",
            "00",
            "+",
            "-",
            "_",
            "chunked",
            "identity",
            "Content-Length: 7\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: other\r\n",
            "Connection: close, x\r\n",
            " HTTP/1.1",
            "0\r\n\r\n",
            "5\r\nhello\r\n",
            "Expect: 100-continue\r\n");

    private HeadCorpus() {}

    /** @param authority in the place of {@code HOST} */
    public static List<byte[]> seeds(String authority) {
        return WHOLE.stream()
                .map(text -> text.replace("HOST", authority).getBytes(ISO_8859_1))
                .toList();
    }

    /** One to four things done to one of the seeds. */
    public static byte[] mutant(List<byte[]> seeds, Random random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size()));
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes = mutated(bytes, seeds, random);
        }
        return bytes;
    }

    private static byte[] mutated(byte[] in, List<byte[]> seeds, Random random) {
        int a = random.nextInt(in.length + 1);
        int b = a + random.nextInt(Math.min(24, in.length - a + 1));
        int c = b + random.nextInt(in.length - b + 1);
        byte[] spark = SPARKS.get(random.nextInt(SPARKS.size())).getBytes(ISO_8859_1);
        return switch (random.nextInt(7)) {
            // A byte is another one.
            case 0 ->
                a == in.length
                        ? in
                        : joined(part(in, 0, a), new byte[] {(byte) random.nextInt(256)}, part(in, a + 1, in.length));
            // Something odd is put in, or stands for what was there.
            case 1 -> joined(part(in, 0, a), spark, part(in, a, in.length));
            case 2 -> joined(part(in, 0, a), spark, part(in, b, in.length));
            // A stretch is gone, is there twice, or changes places with the next one.
            case 3 -> joined(part(in, 0, a), part(in, b, in.length));
            case 4 -> joined(part(in, 0, b), part(in, a, in.length));
            case 5 -> joined(part(in, 0, a), part(in, b, c), part(in, a, b), part(in, c, in.length));
            // The beginning of one, the end of another.
            default -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                yield joined(part(in, 0, a), part(other, random.nextInt(other.length + 1), other.length));
            }
        };
    }

    private static byte[] part(byte[] in, int from, int to) {
        return Arrays.copyOfRange(in, from, Math.max(from, to));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
