package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sallyport.proxy.tls.MintedLeaves;
import io.sallyport.testing.HopCase;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class MintingTest extends HopCase {

    /** A rule book that came between the decision and the signature. */
    @Test
    void a_host_that_nothing_has_intercepted_any_more_is_refused_and_no_fault() {
        Throwable unnamed = catchThrowable(() -> hop.room(MintedLeaves.class).leaf("moved.example.com"));
        assertThat(faultsWith(new CompletionException(unnamed), "destination_not_allowed"))
                .isZero();
        assertThat(faultsWith(unnamed, "destination_not_allowed")).isZero();
        assertThat(faultsWith(new CompletionException(new IllegalStateException("no store")), "unavailable"))
                .isOne();
    }

    private static long faultsWith(Throwable fault, String error) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger ours = (Logger) LoggerFactory.getLogger("io.sallyport.proxy.wire");
        ours.addAppender(log);
        try {
            assertThat(Minting.refusal(fault).error()).isEqualTo(error);
        } finally {
            ours.detachAppender(log);
        }
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .count();
    }
}
