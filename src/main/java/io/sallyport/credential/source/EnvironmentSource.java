package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * A variable of the broker's environment.
 *
 * @param name begins with {@code SALLYPORT_SECRET_}, so that a document can't name any variable there is
 */
public record EnvironmentSource(String name) implements SecretSource {

    static final SourceKind KIND = new SourceKind("env", EnvironmentSource::read);

    private static final String PREFIX = "SALLYPORT_SECRET_";

    /** A variable of a running process does not change. */
    private static final String STAMP = "environment";

    private static final Duration BELIEVED = Duration.ofSeconds(1);

    private static final Form<String> NAME = Forms.TEXT.then(name -> name.matches(PREFIX + "[A-Za-z0-9_]+")
            ? Reading.of(name)
            : Reading.unreadable(
                    Forms.quote(name) + " is not allowed; allowed: " + PREFIX + " and letters, digits or _ after it"));

    private static Optional<EnvironmentSource> read(Keys keys) {
        return keys.required("name", NAME).map(EnvironmentSource::new);
    }

    @Override
    public String kind() {
        return "env";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault {
        if (STAMP.equals(fetch.known())) {
            return new Fetched.Unchanged(BELIEVED);
        }
        String value = fetch.tools().environment().apply(name);
        if (value == null) {
            throw SourceFault.missing("the environment has no " + name);
        }
        return Fetched.given(Material.of(value.getBytes(StandardCharsets.UTF_8)), STAMP, BELIEVED);
    }

    @Override
    public Waits waits() {
        return Waits.DISK;
    }

    @Override
    public boolean renewable() {
        return false;
    }
}
