package io.sallyport.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** TLS ClientHellos as far as the extensions that matter to the hop; an origin answers them with an alert. */
public final class ClientHellos {

    private ClientHellos() {}

    public static byte[] of(String serverName) {
        return of(serverName, false);
    }

    /** @param encrypted whether it has an Encrypted Client Hello */
    public static byte[] of(@Nullable String serverName, boolean encrypted) {
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        if (serverName != null) {
            name(extensions, serverName);
        }
        if (encrypted) {
            put(extensions, 0xfe0d, 4);
            extensions.writeBytes(new byte[4]);
        }
        return with(extensions);
    }

    /** With an extension for each of these names. */
    public static byte[] ofEach(String... serverNames) {
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        for (String serverName : serverNames) {
            name(extensions, serverName);
        }
        return with(extensions);
    }

    private static void name(ByteArrayOutputStream extensions, String serverName) {
        byte[] name = serverName.getBytes(StandardCharsets.US_ASCII);
        put(extensions, 0, name.length + 5);
        extensions.writeBytes(new byte[] {0, (byte) (name.length + 3), 0, 0, (byte) name.length});
        extensions.writeBytes(name);
    }

    private static byte[] with(ByteArrayOutputStream extensions) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {3, 3});
        body.writeBytes(new byte[32]);
        body.writeBytes(new byte[] {0, 0, 2, 0x13, 0x01, 1, 0});
        body.writeBytes(new byte[] {(byte) (extensions.size() >> 8), (byte) extensions.size()});
        body.writeBytes(extensions.toByteArray());
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(new byte[] {22, 3, 1, (byte) ((body.size() + 4) >> 8), (byte) (body.size() + 4), 1, 0});
        record.writeBytes(new byte[] {(byte) (body.size() >> 8), (byte) body.size()});
        record.writeBytes(body.toByteArray());
        return record.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, int kind, int length) {
        out.writeBytes(new byte[] {(byte) (kind >> 8), (byte) kind, (byte) (length >> 8), (byte) length});
    }
}
