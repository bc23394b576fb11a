package io.sallyport.credential.injection;

import io.sallyport.credential.Injected;
import io.sallyport.http.Field;
import io.sallyport.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.function.BiFunction;

/** A text that is written into the head of every request alike. */
final class Written implements Injector {

    private final byte[] value;
    private final BiFunction<RequestHead, String, Injected> writer;

    /** @param value ASCII, encoded for its place; taken over */
    Written(byte[] value, BiFunction<RequestHead, String, Injected> writer) {
        this.value = value;
        this.writer = writer;
    }

    /** As a field in place of every one of that name. */
    static Written field(String name, byte[] value) {
        return new Written(value, (head, text) -> new Injected.Done(withField(head, name, text)));
    }

    static RequestHead withField(RequestHead head, String name, String value) {
        return head.withFields(head.fields().with(new Field(name, value, true)));
    }

    /** A head is made of Strings, which can't be zeroed; so it is made anew for each head and kept nowhere. */
    @Override
    public Placement placement(Clock clock) {
        return (asked, outgoing) -> writer.apply(outgoing, new String(value, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() {
        Arrays.fill(value, (byte) 0);
    }
}
