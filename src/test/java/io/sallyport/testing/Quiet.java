package io.sallyport.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/** Hears what a hop complains about: faults of its own, and buffers that nobody released, each of which is looked after while this is open. */
public final class Quiet implements AutoCloseable {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

    public Quiet() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        log.start();
        root().addAppender(log);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** Nothing was said that is worse than a warning, and no leak was found. */
    public void asserts() {
        // What nobody holds is found out when its memory is taken back, and told at the next buffer.
        for (int i = 0; i < 3; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .extracting(event -> event.getLoggerName() + ": " + event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : event.getThrowableProxy().getClassName() + ": "
                                        + event.getThrowableProxy().getMessage()))
                .isEmpty();
    }

    @Override
    public void close() {
        root().detachAppender(log);
        ResourceLeakDetector.setLevel(before);
    }
}
