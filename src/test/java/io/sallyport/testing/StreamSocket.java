package io.sallyport.testing;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;

/** A tunnel that a CONNECT opened on a stream of HTTP/2 (RFC 9113 section 8.5), as the socket that TLS is spoken over. */
final class StreamSocket extends Socket {

    private final RawHttp2Client connection;
    private final int stream;
    private int taken;

    StreamSocket(RawHttp2Client connection, int stream) {
        this.connection = connection;
        this.stream = stream;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public void setSoTimeout(int millis) {
        connection.patience(millis);
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        // Frames are written whole.
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int at, int most) {
                byte[] all = connection.content(stream, taken + 1).content();
                if (all.length <= taken) {
                    return -1;
                }
                int length = Math.min(most, all.length - taken);
                System.arraycopy(all, taken, to, at, length);
                taken += length;
                return length;
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int one) {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int at, int length) {
                connection.dataWhole(stream, Arrays.copyOfRange(from, at, at + length), false);
            }
        };
    }

    @Override
    public void close() {
        connection.close();
    }
}
