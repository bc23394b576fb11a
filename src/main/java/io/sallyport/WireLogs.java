package io.sallyport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Keeps what libraries write about messages out of the log. At debug level Tomcat writes each request as received and Spring its query: a
 * workload token, an operator token, a secret on its way in. No setting of levels can bring that back, since whoever raises a level to find a
 * fault does not think of it.
 */
final class WireLogs extends TurboFilter {

    /** What handles messages, or what could be told of one; their information and warnings remain. */
    private static final List<String> QUIET = List.of(
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.hc.",
            "org.apache.tomcat.",
            "org.springframework.http.",
            "org.springframework.security.",
            "org.springframework.web.",
            "org.thymeleaf",
            "com.nimbusds.",
            "io.netty.",
            "software.amazon.awssdk.",
            "jdk.",
            "sun.");

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable fault) {
        // Most calls are for a level that is off anyway: they must not cost a walk through the names.
        if (level.toInt() >= Level.INFO_INT
                || level.toInt() < logger.getEffectiveLevel().toInt()) {
            return FilterReply.NEUTRAL;
        }
        String name = logger.getName();
        return QUIET.stream().anyMatch(name::startsWith) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    /** Before any door opens, and after the levels of the settings were applied. */
    static final class Installer implements ApplicationListener<ApplicationPreparedEvent> {

        @Override
        public void onApplicationEvent(ApplicationPreparedEvent prepared) {
            if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                    && context.getTurboFilterList().stream().noneMatch(WireLogs.class::isInstance)) {
                context.addTurboFilter(new WireLogs());
            }
        }
    }
}
