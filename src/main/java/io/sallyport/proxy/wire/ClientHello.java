package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a ClientHello says in the clear about where it goes (RFC 8446 section 4.1.2).
 *
 * @param serverName as sent (RFC 6066 section 3); null for none
 * @param encrypted whether another hello is, or may be, sealed inside (draft-ietf-tls-esni): then the name in the clear is not the one that
 *     counts
 */
record ClientHello(@Nullable String serverName, boolean encrypted) {

    /** Room is made for as much as the first record says will come, and that may be 16 MiB: a stranger says so in ten bytes. */
    static final int LONGEST = 64 * 1024;

    private static final int SERVER_NAME = 0;
    private static final int ENCRYPTED_CLIENT_HELLO = 0xfe0d;
    private static final int VERSION_AND_RANDOM = 2 + 32;

    /**
     * @param hello from its version on; its reader index is not moved
     * @throws IndexOutOfBoundsException for one that ends too early
     */
    static ClientHello read(ByteBuf hello) {
        ByteBuf in = hello.slice();
        in.skipBytes(VERSION_AND_RANDOM);
        in.skipBytes(in.readUnsignedByte());
        in.skipBytes(in.readUnsignedShort());
        in.skipBytes(in.readUnsignedByte());
        String name = null;
        boolean named = false;
        boolean encrypted = false;
        ByteBuf extensions = in.isReadable() ? in.readSlice(in.readUnsignedShort()) : in;
        while (extensions.isReadable()) {
            int kind = extensions.readUnsignedShort();
            ByteBuf content = extensions.readSlice(extensions.readUnsignedShort());
            encrypted |= kind == ENCRYPTED_CLIENT_HELLO;
            if (kind == SERVER_NAME) {
                // Of two, one peer may read the first and another the last (RFC 8446 section 4.2 forbids them).
                name = named ? null : hostName(content);
                named = true;
            }
        }
        return new ClientHello(name, encrypted);
    }

    private static @Nullable String hostName(ByteBuf list) {
        ByteBuf names = list.readSlice(list.readUnsignedShort());
        boolean isHost = names.readUnsignedByte() == 0;
        ByteBuf name = names.readSlice(names.readUnsignedShort());
        // One name of one type is all that there is (RFC 6066): whatever else may stand there could be read in another
        // way elsewhere.
        return isHost && !names.isReadable() ? name.toString(StandardCharsets.ISO_8859_1) : null;
    }
}
