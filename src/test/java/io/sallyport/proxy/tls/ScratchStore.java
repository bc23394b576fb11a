package io.sallyport.proxy.tls;

import io.sallyport.store.Seal;
import io.sallyport.store.StoreFault;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A database in memory with one room's tables, and the plainest writer over it: each piece of work is its own transaction. */
public final class ScratchStore implements Writer {

    public final Connection connection;

    /** @param migration as in {@code V60__proxy} */
    public ScratchStore(String migration) {
        try (InputStream script = ScratchStore.class.getResourceAsStream("/db/migration/" + migration + ".sql")) {
            connection = DriverManager.getConnection("jdbc:sqlite::memory:");
            String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^\\s*--.*$", "");
            for (String statement : sql.split(";")) {
                if (!statement.isBlank()) {
                    connection.createStatement().execute(statement);
                }
            }
            connection.setAutoCommit(false);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized <T> T write(Work<T> work) {
        OneTx tx = new OneTx();
        try {
            T result = work.run(tx);
            connection.commit();
            tx.after.forEach(Runnable::run);
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback();
            throw e instanceof RuntimeException fault ? fault : new StoreFault("scratch", e);
        }
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        try {
            return CompletableFuture.completedFuture(write(work));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public boolean healthy() {
        return true;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class OneTx implements Tx {

        final List<Runnable> after = new ArrayList<>();

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public PreparedStatement prepare(String sql) throws SQLException {
            return connection.prepareStatement(sql);
        }

        @Override
        public void afterCommit(Runnable action) {
            after.add(action);
        }

        @Override
        public void afterRollback(Runnable action) {
            // Each piece of work is a transaction of its own here and is never run again.
        }
    }

    /** A seal in which the plain bytes can't be read, and which opens only at its own place and under its own key. */
    public record XorSeal(byte key) implements Seal {

        @Override
        public byte[] seal(byte[] plain, String place) {
            byte[] mark = mark(place);
            byte[] sealed = new byte[mark.length + plain.length];
            System.arraycopy(mark, 0, sealed, 0, mark.length);
            for (int i = 0; i < plain.length; i++) {
                sealed[mark.length + i] = (byte) (plain[i] ^ key);
            }
            return sealed;
        }

        @Override
        public byte[] open(byte[] sealed, String place) {
            byte[] mark = mark(place);
            if (sealed.length < mark.length || !java.util.Arrays.equals(sealed, 0, mark.length, mark, 0, mark.length)) {
                throw new StoreFault("does not open", new IllegalStateException(place));
            }
            byte[] plain = java.util.Arrays.copyOfRange(sealed, mark.length, sealed.length);
            for (int i = 0; i < plain.length; i++) {
                plain[i] ^= key;
            }
            return plain;
        }

        private byte[] mark(String place) {
            return (key + "@" + place).getBytes(StandardCharsets.UTF_8);
        }
    }
}
