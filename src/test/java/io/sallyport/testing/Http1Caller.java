package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;

/** A {@link Caller} in HTTP/1.1. */
final class Http1Caller implements Caller {

    private static final int CHUNK = 8_000;

    private final TestHop hop;
    private final Door door;
    private final String token;
    private final RawClient agent;

    Http1Caller(TestHop hop, Door door, String token) {
        this.hop = hop;
        this.door = door;
        this.token = token;
        this.agent = door.open(hop, token);
    }

    @Override
    public Reply ask(Ask ask) {
        try {
            say(ask);
        } catch (UncheckedIOException refused) {
            // Before it was all said; the answer may be here.
        }
        return Reply.of(agent.read(ask.method()));
    }

    @Override
    public void leave(Ask ask) {
        say(ask);
        close();
    }

    private void say(Ask ask) {
        StringBuilder head = new StringBuilder(door.headWithout(hop, token, ask.method() + " " + ask.path()));
        for (String field : ask.fields()) {
            if (field.startsWith("Host:")) {
                replaceHost(head, field);
            } else {
                head.append(field).append("\r\n");
            }
        }
        byte[] content = ask.content();
        boolean chunked = content != null && ask.says() < 0;
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
        } else if (ask.says() >= 0) {
            head.append("Content-Length: ").append(ask.says()).append("\r\n");
        }
        agent.send(head.append("\r\n").toString());
        if (content != null) {
            agent.send(chunked ? chunked(content, ask) : content);
        }
    }

    private static void replaceHost(StringBuilder head, String field) {
        int at = head.indexOf("\r\nHost: ") + 2;
        head.replace(at, head.indexOf("\r\n", at), field);
    }

    private static byte[] chunked(byte[] content, Ask ask) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < content.length; at += CHUNK) {
            int length = Math.min(CHUNK, content.length - at);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            out.write(content, at, length);
            out.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        out.writeBytes("0\r\n".getBytes(ISO_8859_1));
        for (String trailer : ask.trailers()) {
            out.writeBytes((trailer + "\r\n").getBytes(ISO_8859_1));
        }
        out.writeBytes("\r\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }

    @Override
    public void close() {
        agent.close();
    }
}
