package io.sallyport;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.unit.DataSize;

/** What every room gets: the bound settings, cut into each room's own record, and the two clocks. */
@Configuration(proxyBeanMethods = false)
class RootWiring {

    @Bean
    Settings settings(ConfigurableEnvironment environment) {
        Settings settings = bind(environment);
        Folders.prepare(settings);
        return settings;
    }

    static Settings bind(ConfigurableEnvironment environment) {
        SettingNames names = new SettingNames();
        List<String> unknown = names.unknown(environment);
        if (!unknown.isEmpty()) {
            throw new StartRefused("Unknown %s: %s. Allowed: %s."
                    .formatted(
                            unknown.size() == 1 ? "setting" : "settings",
                            String.join(", ", unknown),
                            String.join(", ", names.all())));
        }
        try {
            return Binder.get(environment).bindOrCreate("sallyport", Settings.class);
        } catch (BindException e) {
            throw new StartRefused(
                    "The setting %s can't be read: %s%s".formatted(e.getName(), innermost(e), allowed(e)), e);
        }
    }

    /** Wall time: the only place that asks the system for it. */
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Monotonic time in nanoseconds, for what a changed wall clock must not lengthen. */
    @Bean
    LongSupplier nanos() {
        return System::nanoTime;
    }

    /** The units are Spring's, and not those of documents: who writes 15min here is to be told. */
    private static String allowed(BindException e) {
        Class<?> type = e.getTarget().getType().resolve(Object.class);
        if (type == Duration.class) {
            return ". Allowed: a whole number with ms, s, m, h or d, as in 15m";
        }
        return type == DataSize.class ? ". Allowed: a whole number with B, KB, MB or GB, as in 20MB" : "";
    }

    private static String innermost(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).replaceFirst("^For input string: (\\S+).*$", "$1 is not a number");
    }
}
