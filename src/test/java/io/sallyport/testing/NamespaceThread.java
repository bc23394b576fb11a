package io.sallyport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A thread of this process in another network namespace (setns(2)): a socket belongs to the namespace of the thread that made it, whoever
 * uses it afterwards. So a test's own client speaks from within a sandbox, and no relay stands between.
 */
final class NamespaceThread implements AutoCloseable {

    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final int O_RDONLY = 0;

    private final ExecutorService thread;

    NamespaceThread(Path namespace) {
        this.thread = Executors.newSingleThreadExecutor(task -> Thread.ofPlatform()
                .name("in-" + namespace.getFileName())
                .daemon()
                .unstarted(() -> {
                    enter(namespace);
                    task.run();
                }));
    }

    /** A connection that is made in there. @param from an address that the namespace has */
    Socket connect(String from, String to, int port) {
        try {
            return thread.submit(() -> connected(from, to, port)).get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException refused
                    ? new UncheckedIOException(refused)
                    : new IllegalStateException(failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Socket connected(String from, String to, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(to, port), 10_000);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    private static void enter(Path namespace) {
        MethodHandle open = function("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        MethodHandle setns = function("setns", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        MethodHandle close = function("close", ValueLayout.JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(namespace.toString());
            int file = (int) open.invokeExact(path, O_RDONLY);
            int entered = (int) setns.invokeExact(file, CLONE_NEWNET);
            int closed = (int) close.invokeExact(file);
            if (entered != 0 || closed != 0) {
                throw new IllegalStateException("the namespace " + namespace + " can't be entered");
            }
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static MethodHandle function(String name, java.lang.foreign.MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
