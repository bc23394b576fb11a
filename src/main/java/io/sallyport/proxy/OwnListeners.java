package io.sallyport.proxy;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.net.OwnPorts;
import io.sallyport.policy.Binding;
import io.sallyport.store.Readers;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of tasks that are bound to one: opened after the grant is on disk, closed when it ends, there again after a restart. A
 * grant whose listener can't be opened ends: it could not be used, and nobody would know.
 */
public final class OwnListeners implements TaskListeners {

    private static final Logger LOG = LoggerFactory.getLogger(OwnListeners.class);

    private final Rooms rooms;
    private final ListenerSettings settings;
    private final String host;
    private final TaskPorts ports;
    private final Semaphore room;
    private final ConcurrentHashMap<String, Held> held = new ConcurrentHashMap<>();
    private volatile @Nullable ListenerSockets sockets;

    /** What it works with. */
    record Rooms(Grants grants, Writer writer, Readers readers, Ledger ledger, OwnPorts ownPorts) {}

    private record Held(Grant grant, TaskListener listener, ListenerSockets.Open socket) {}

    /** @param host under which a port is told to whoever asked for it */
    OwnListeners(Rooms rooms, ListenerSettings settings, String host) {
        this.rooms = rooms;
        this.settings = settings;
        this.host = host;
        this.ports = new TaskPorts(settings.ports());
        this.room = new Semaphore(settings.most());
    }

    /** The hop is there: whoever had a listener when the broker stopped has it again, or has ended. */
    void attach(ListenerSockets opened) throws IOException {
        if (settings.sockets() != null) {
            SocketFile.folder(settings.sockets());
        }
        sockets = opened;
        Map<String, ListenerRows.Row> rows = rooms.readers().read(ListenerRows::all);
        List<Grant> lost = new ArrayList<>();
        for (Grant grant : rooms.grants().standing(grant -> grant.binding() == Binding.LISTENER)) {
            ListenerRows.Row row = rows.get(grant.id());
            Optional<Held> again = row == null ? Optional.empty() : again(opened, grant, row);
            if (again.isEmpty()) {
                lost.add(grant);
            } else {
                hold(again.get());
            }
        }
        if (!lost.isEmpty()) {
            end(lost, "its listener could not be opened again after a restart");
        }
        rooms.writer().write(tx -> {
            for (String grant : rows.keySet()) {
                if (!held.containsKey(grant)) {
                    ListenerRows.delete(tx, grant);
                }
            }
            return rows.size();
        });
    }

    /** The hop goes: what stands will be opened again. */
    void detach() {
        sockets = null;
        for (Held one : held.values()) {
            held.remove(one.grant().id());
            one.socket().close();
            ports.giveBack(one.socket().port());
            room.release();
        }
    }

    @Override
    public Optional<String> whyNot(TaskListener.Wanted wanted) {
        return switch (wanted) {
            case TaskListener.Port ignored -> Optional.empty();
            case TaskListener.Transparent ignored ->
                settings.transparent().where().isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "This broker opens no transparent listeners: sallyport.proxy.transparent.bind is not set.");
            case TaskListener.Socket ignored ->
                settings.sockets() != null
                        ? Optional.empty()
                        : Optional.of(
                                "This broker opens no Unix sockets: sallyport.proxy.listeners.sockets is not set.");
        };
    }

    @Override
    public Opened open(Grant grant, TaskListener.Wanted wanted) {
        ListenerSockets through = sockets;
        if (through == null) {
            return failed(grant, "the hop is not open");
        }
        if (!room.tryAcquire()) {
            return failed(grant, "as many listeners are open as may be (sallyport.proxy.listeners.most)");
        }
        try {
            Optional<Held> opened = first(through, grant, wanted);
            return opened.isPresent() ? keep(opened.get()) : freed(grant, "no port of the range is free");
        } catch (IOException | RuntimeException fault) {
            LOG.error("a listener of {} could not be opened", grant.task(), fault);
            return freed(grant, String.valueOf(fault.getMessage()));
        }
    }

    private Opened keep(Held opened) {
        Grant grant = opened.grant();
        hold(opened);
        try {
            rooms.writer().write(tx -> {
                ListenerRows.insert(tx, grant.id(), row(opened));
                return grant;
            });
        } catch (RuntimeException fault) {
            LOG.error("the listener of {} could not be recorded", grant.task(), fault);
            close(grant);
            return failed(grant, "the store can't write");
        }
        // Entered before the look: an ending in between has found it, one before is seen here.
        if (!rooms.grants().stands(grant)) {
            close(grant);
            return new Opened.Failed("ended as soon as it was opened");
        }
        return new Opened.Listening(opened.listener());
    }

    private Opened freed(Grant grant, String cause) {
        room.release();
        return failed(grant, cause);
    }

    private Opened failed(Grant grant, String cause) {
        end(List.of(grant), "its listener could not be opened: " + cause);
        return new Opened.Failed(cause);
    }

    @Override
    public Optional<TaskListener> of(Grant grant) {
        return Optional.ofNullable(held.get(grant.id())).map(Held::listener);
    }

    /** How many are open of one kind. */
    long open(Class<? extends TaskListener.Wanted> kind) {
        return held.values().stream()
                .filter(one -> kind.isInstance(one.listener().wanted()))
                .count();
    }

    /** How many there may be. */
    int most() {
        return settings.most();
    }

    /** Closes those whose grants have fallen without a call. */
    void closeFallen() {
        for (Held one : held.values()) {
            if (!rooms.grants().stands(one.grant())) {
                close(one.grant());
            }
        }
    }

    /** From any thread, without waiting. */
    void close(Grant grant) {
        Held gone = held.remove(grant.id());
        if (gone == null) {
            return;
        }
        gone.socket().close();
        ports.giveBack(gone.socket().port());
        room.release();
        var unused = rooms.writer().submit(tx -> {
            ListenerRows.delete(tx, grant.id());
            return grant;
        });
    }

    private void hold(Held opened) {
        if (opened.socket().port() != 0) {
            // Through the hop's other listeners an agent would come to a port of another task as anybody at all.
            rooms.ownPorts().add(opened.socket().port());
        }
        held.put(opened.grant().id(), opened);
    }

    private Optional<Held> again(ListenerSockets through, Grant grant, ListenerRows.Row row) {
        if (whyNot(row.wanted()).isPresent() || !room.tryAcquire()) {
            return Optional.empty();
        }
        try {
            Optional<Held> opened = row.wanted() instanceof TaskListener.Socket socket
                    ? Optional.of(unix(through, grant, socket, java.nio.file.Path.of(row.at())))
                    : ports.again(Integer.parseInt(row.at()), port -> tcp(through, grant, row.wanted(), port));
            if (opened.isPresent()) {
                return opened;
            }
            LOG.warn("the listener of {} at {} can't be opened again: somebody else has it", grant.task(), row.at());
        } catch (IOException | RuntimeException fault) {
            LOG.warn("the listener of {} at {} can't be opened again", grant.task(), row.at(), fault);
        }
        room.release();
        return Optional.empty();
    }

    private Optional<Held> first(ListenerSockets through, Grant grant, TaskListener.Wanted wanted) throws IOException {
        return wanted instanceof TaskListener.Socket socket
                ? Optional.of(unix(
                        through, grant, socket, SocketFile.in(java.util.Objects.requireNonNull(settings.sockets()))))
                : ports.first(port -> tcp(through, grant, wanted, port));
    }

    private static Held unix(ListenerSockets through, Grant grant, TaskListener.Socket wanted, java.nio.file.Path file)
            throws IOException {
        return new Held(grant, new TaskListener(wanted, file.toString()), through.unix(grant, wanted, file));
    }

    /** Empty when the port is another's. */
    private Optional<Held> tcp(ListenerSockets through, Grant grant, TaskListener.Wanted wanted, int port) {
        try {
            ListenerSockets.Open socket = switch (wanted) {
                case TaskListener.Port to -> through.port(grant, to, port);
                case TaskListener.Transparent to -> through.transparent(grant, to, port);
                case TaskListener.Socket ignored -> throw new IllegalArgumentException("a socket has no port");
            };
            return Optional.of(new Held(grant, new TaskListener(wanted, at(wanted) + ":" + socket.port()), socket));
        } catch (IOException taken) {
            LOG.debug("port {} is not free", port, taken);
            return Optional.empty();
        }
    }

    private String at(TaskListener.Wanted wanted) {
        return wanted instanceof TaskListener.Transparent
                ? settings.transparent().where().map(OwnListeners::written).orElse(host)
                : host;
    }

    /** An IPv6 address stands in brackets before a port (RFC 3986 section 3.2.2). */
    static String written(String address) {
        return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    private static ListenerRows.Row row(Held opened) {
        return new ListenerRows.Row(
                opened.listener().wanted(),
                opened.listener().wanted() instanceof TaskListener.Socket
                        ? opened.listener().place()
                        : Integer.toString(opened.socket().port()));
    }

    private void end(List<Grant> lost, String why) {
        List<Grant> ended = rooms.grants().endInMemory(lost, EndReason.NO_LISTENER);
        if (ended.isEmpty()) {
            return;
        }
        Fact fact = new Fact.Revoked(
                "listener-" + ended.getFirst().id(),
                "proxy",
                "{\"listener\":\"none\"}",
                why,
                ended.stream().map(Grant::id).toList(),
                0);
        rooms.writer()
                .submit(tx -> {
                    rooms.grants().recordEnd(tx, ended, EndReason.NO_LISTENER);
                    return rooms.ledger().append(tx, fact);
                })
                .whenComplete((appended, fault) -> {
                    if (fault != null) {
                        // They stay ended in memory; at the next start they have no listener, and end anew.
                        LOG.error("the end of {} grants without a listener could not be recorded", ended.size(), fault);
                    }
                });
    }
}
