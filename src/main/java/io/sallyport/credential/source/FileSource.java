package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.util.Optional;

/**
 * A file below {@code sallyport.secrets}, followed when it changes.
 *
 * @param name a relative path below that folder
 */
public record FileSource(String name) implements SecretSource {

    static final SourceKind KIND = new SourceKind("file", FileSource::read);

    private static final Form<String> NAME = Forms.TEXT.then(
            name -> SecretFolder.isBelow(name)
                    ? Reading.of(name)
                    : Reading.unreadable(
                            Forms.quote(name)
                                    + " is not a file below sallyport.secrets; allowed: a relative path without . and .., as in github/token"));

    private static Optional<FileSource> read(Keys keys) {
        return keys.required("name", NAME).map(FileSource::new);
    }

    @Override
    public String kind() {
        return "file";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault {
        return fetch.tools().files().read(name, fetch.known());
    }

    @Override
    public Waits waits() {
        return Waits.DISK;
    }
}
