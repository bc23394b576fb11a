package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;

/** Answers of HTTP/1 that are known to be read in more than one way, and their honest kin. */
public final class AnswerCorpus {

    private static final List<String> WHOLE = List.of(
            "HTTP/1.1 200 OK\r\nContent-Length: LENGTH\r\n\r\nCONTENT",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nSIZE\r\nCONTENT\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\nSIZE;a=b\r\nCONTENT\r\n0\r\nX: CONTENT\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nCONTENT",
            "HTTP/1.0 200 OK\r\n\r\nCONTENT",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: LENGTH\r\n\r\nCONTENT",
            "HTTP/1.1 103 Early Hints\r\nLink: </CONTENT>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: LENGTH\r\n\r\nCONTENT",
            "HTTP/1.1 204 No CONTENT\r\nX: CONTENT\r\n\r\n",
            "HTTP/1.1 304 No\r\nContent-Length: LENGTH\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nCONTENT",
            "HTTP/1.1 401 CONTENT\r\nWWW-Authenticate: CONTENT\r\nSet-Cookie: CONTENT\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n\r\nSIZE\r\nCONTENT\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: CONTENT\n\n",
            "HTTP/1.1 200 OK\r\nContent-Length: LENGTH\r\n\r\nCONTENTHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother");

    private AnswerCorpus() {}

    /** One of them with this content, and up to three things done to it. */
    public static byte[] mutant(String content, Random random) {
        byte[] bytes = WHOLE.get(random.nextInt(WHOLE.size()))
                .replace("LENGTH", Integer.toString(content.length()))
                .replace("SIZE", Integer.toHexString(content.length()))
                .replace("CONTENT", content)
                .getBytes(ISO_8859_1);
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes = Http2Corpus.mutated(bytes, random);
        }
        return bytes;
    }
}
