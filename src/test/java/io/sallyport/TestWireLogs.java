package io.sallyport;

import ch.qos.logback.classic.turbo.TurboFilter;

/** What keeps wires out of the log, for tests of rooms. */
public final class TestWireLogs {

    private TestWireLogs() {}

    public static TurboFilter filter() {
        return new WireLogs();
    }
}
