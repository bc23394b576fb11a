package io.sallyport.proxy;

import io.sallyport.net.OwnPorts;
import io.sallyport.proxy.flow.Event;
import io.sallyport.proxy.wire.HopServer;
import io.sallyport.rules.RuleBook;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Opens the hop when every room stands, and closes it before any of them goes. */
public final class HopLifecycle implements SmartLifecycle {

    private final HopServer.Rooms rooms;
    private final ProxySettings settings;
    private final LongSupplier nanos;
    private final OwnPorts ports;
    private final Listeners listeners;
    private volatile @Nullable HopServer server;

    /** Those of tasks, and where they may be. */
    record Listeners(OwnListeners own, ListenerSettings settings) {}

    HopLifecycle(
            HopServer.Rooms rooms, ProxySettings settings, LongSupplier nanos, OwnPorts ports, Listeners listeners) {
        this.rooms = rooms;
        this.settings = settings;
        this.nanos = nanos;
        this.ports = ports;
        this.listeners = listeners;
    }

    @Override
    public void start() {
        try {
            HopServer started = new HopServer(rooms, settings, listeners.settings(), nanos);
            // The hop is no destination of its own: through itself an agent would come from the broker's address.
            ports.add(started.port());
            started.transparentPort().ifPresent(ports::add);
            server = started;
            listeners.own().attach(started.sockets());
        } catch (IOException fault) {
            // Its sentence says what to do; a stack says no more.
            throw new IllegalStateException(String.valueOf(fault.getMessage()), fault);
        } catch (GeneralSecurityException fault) {
            throw new IllegalStateException("the hop's TLS can't be set up: " + fault.getMessage(), fault);
        }
    }

    @Override
    public void stop() {
        HopServer running = server;
        server = null;
        if (running == null) {
            return;
        }
        running.drain();
        // What has not ended is broken off as by an order: half of an answer must not look like a whole one.
        rooms.gate().cutAll(Event.WasCut.BROKER_STOPS);
        listeners.own().detach();
        running.close();
    }

    /** A new rule book trusts these private roots, and no others. */
    void swapped(RuleBook book) {
        HopServer running = server;
        if (running != null) {
            running.trust(book.rootsInUse());
        }
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }

    /** The port of the transparent listener for tasks that are known by their address; -1 where there is none. */
    public int transparentPort() {
        HopServer running = server;
        return running == null ? -1 : running.transparentPort().orElse(-1);
    }

    /** The port that is bound; -1 while the hop is closed. */
    public int port() {
        HopServer running = server;
        return running == null ? -1 : running.port();
    }
}
