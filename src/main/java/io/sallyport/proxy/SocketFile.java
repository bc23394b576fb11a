package io.sallyport.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The files of Unix sockets. Who may connect is the kernel's word about the peer, asked of each connection; the file's mode keeps others
 * from trying, and the folder's keeps them from putting a socket of theirs in its place.
 */
public final class SocketFile {

    /** Sixteen hexadecimal digits and {@code .sock}. */
    static final int NAME_LENGTH = 21;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private SocketFile() {}

    /** A name in the folder that nobody can guess. */
    static Path in(Path folder) {
        byte[] name = new byte[8];
        RANDOM.nextBytes(name);
        return folder.resolve(HexFormat.of().formatHex(name) + ".sock");
    }

    /**
     * Makes the folder where it is absent, for all to pass and none to list.
     *
     * @throws IOException when others may write in it
     */
    static void folder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        }
        Set<PosixFilePermission> modes = Files.getPosixFilePermissions(folder);
        if (modes.contains(PosixFilePermission.GROUP_WRITE) || modes.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("sallyport.proxy.listeners.sockets: " + folder
                    + " can be written by others; take that away: chmod go-w " + folder);
        }
    }

    /** Takes away what a broker that was killed has left. Anything but a socket stays, and makes the opening fail. */
    public static void removeOld(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && mode(file) == SOCKET) {
            Files.delete(file);
        }
    }

    private static int mode(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & TYPE;
    }

    /**
     * Makes the user the one that may connect. A broker that may not give files away lets all connect, and closes on all others: the
     * peer's user is looked at in either case.
     */
    public static void giveTo(Path file, long uid) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        if (owner(file) == uid) {
            return;
        }
        try {
            Files.setAttribute(file, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException notAllowed) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
    }

    private static long owner(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) & 0xffff_ffffL;
    }
}
