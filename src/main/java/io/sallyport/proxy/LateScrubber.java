package io.sallyport.proxy;

import io.sallyport.credential.Scrubber;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One answer's scrubber, made when it is first needed: by then it is known what was put on the request besides the secret itself, such as
 * a signature. For the flow's own thread.
 */
final class LateScrubber implements Scrubber {

    private final Supplier<Scrubber> maker;
    private @Nullable Scrubber made;

    LateScrubber(Supplier<Scrubber> maker) {
        this.maker = maker;
    }

    private Scrubber scrubber() {
        Scrubber now = made;
        if (now == null) {
            now = maker.get();
            made = now;
        }
        return now;
    }

    @Override
    public String text(String value) {
        return scrubber().text(value);
    }

    @Override
    public int masks() {
        return made == null ? 0 : made.masks();
    }

    @Override
    public ByteBuffer push(ByteBuffer content, boolean last) {
        return scrubber().push(content, last);
    }
}
