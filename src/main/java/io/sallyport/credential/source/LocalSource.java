package io.sallyport.credential.source;

import java.time.Duration;
import java.util.Optional;

/** A secret that a person wrote in; in the database, sealed. */
public record LocalSource() implements SecretSource {

    static final SourceKind KIND = new SourceKind("local", keys -> Optional.of(new LocalSource()));

    /** How long what was read is believed. */
    public static final Duration BELIEVED = Duration.ofSeconds(1);

    @Override
    public String kind() {
        return "local";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault {
        return fetch.tools().local().read(fetch.credential(), fetch.face(), fetch.known());
    }

    @Override
    public boolean writtenIn() {
        return true;
    }

    @Override
    public Waits waits() {
        return Waits.DISK;
    }
}
