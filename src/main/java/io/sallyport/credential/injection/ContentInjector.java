package io.sallyport.credential.injection;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.http.RequestHead;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;

/** Puts one value into the contents of requests, each of which is gathered whole for that. */
final class ContentInjector implements Injector {

    private final SwappableContent into;
    private final byte[] value;

    /** @param value encoded for its place; taken over, and zeroed in the end */
    ContentInjector(SwappableContent into, byte[] value) {
        this.into = into;
        this.value = value;
    }

    @Override
    public Placement placement(Clock clock) {
        return new OneRequest();
    }

    @Override
    public void close() {
        Arrays.fill(value, (byte) 0);
    }

    private final class OneRequest implements Placement {

        private boolean brought;

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            return into.typed(asked) ? new Injected.Done(outgoing) : WholeContent.wrongType(into.type());
        }

        @Override
        public ContentUse content() {
            return ContentUse.WHOLE;
        }

        @Override
        public Injected whole(RequestHead outgoing, byte[] content) {
            return switch (into.insert(content, value)) {
                case SwappableContent.Inserted.Nowhere(String reason) -> WholeContent.unfit(reason);
                case SwappableContent.Inserted.Into(byte[] all, boolean own) -> {
                    brought = own;
                    yield WholeContent.done(outgoing, all);
                }
            };
        }

        @Override
        public List<String> removed() {
            return brought ? List.of(into.slot()) : List.of();
        }
    }
}
