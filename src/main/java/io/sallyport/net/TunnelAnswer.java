package io.sallyport.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks for a tunnel on a socket that blocks, and reads the answer's head and not a byte more: what follows is the destination's. */
final class TunnelAnswer {

    private static final int LONGEST = 64 * 1024;

    private TunnelAnswer() {}

    static void await(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = status(head(socket.getInputStream()));
        if (status < 200 || status > 299) {
            throw ProxyFault.answered(status);
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int end = 0;
        while (end < 4) {
            int next = in.read();
            if (next < 0) {
                throw ProxyFault.broken(null);
            }
            head.write(next);
            if (head.size() > LONGEST) {
                throw ProxyFault.malformed("its head is too large");
            }
            end = next == (end % 2 == 0 ? '\r' : '\n') ? end + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static int status(String head) throws IOException {
        if (!head.matches("(?s)HTTP/1\\.[01] [1-5][0-9]{2}[ \r].*")) {
            throw ProxyFault.malformed("it has no status line");
        }
        return Integer.parseInt(head.substring(9, 12));
    }
}
