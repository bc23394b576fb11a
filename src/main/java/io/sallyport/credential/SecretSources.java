package io.sallyport.credential;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The one reader over all kinds of source. */
final class SecretSources implements SecretReader {

    /** A variable of a running process does not change. */
    private static final Object ENVIRONMENT_STAMP = "environment";

    private final SecretFolder folder;
    private final LocalReader local;
    private final UnaryOperator<@Nullable String> environment;

    SecretSources(SecretFolder folder, LocalReader local, UnaryOperator<@Nullable String> environment) {
        this.folder = folder;
        this.local = local;
        this.environment = environment;
    }

    /** Reads what was written in. */
    @FunctionalInterface
    interface LocalReader {
        Reading read(CompiledCredential credential, @Nullable Object known);
    }

    @Override
    public Reading read(CompiledCredential credential, @Nullable Object known) {
        return switch (credential.source()) {
            case Source.Local() -> local.read(credential, known);
            case Source.File file -> folder.read(file, credential.injection(), known);
            case Source.Environment variable -> variable(variable, credential.injection(), known);
        };
    }

    private Reading variable(Source.Environment variable, Injection injection, @Nullable Object known) {
        if (ENVIRONMENT_STAMP.equals(known)) {
            return new Reading.Unchanged();
        }
        String value = environment.apply(variable.name());
        return value == null
                ? new Reading.Failed("the environment has no " + variable.name())
                : SecretReader.accepted(value.getBytes(StandardCharsets.UTF_8), injection, ENVIRONMENT_STAMP);
    }
}
