package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sallyport.document.Keys;
import io.sallyport.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/** One member of an object in a JSON content, replaced or added; every byte around it stays as it is. */
record JsonMember(JsonPointer pointer, String part) implements SwappableContent {

    private static final String TYPE = "application/json";

    static Optional<Injection> read(Keys keys) {
        Optional<JsonPointer> pointer = keys.required("pointer", JsonPointer.FORM);
        return InjectionForms.part(keys).flatMap(part -> pointer.map(place -> new JsonMember(place, part)));
    }

    @Override
    public String slot() {
        return "json:" + pointer.text();
    }

    @Override
    public byte[] encoded(byte[] secret) {
        return Encodings.json(secret);
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Inserted insert(byte[] content, byte[] value) {
        return switch (JsonPlace.find(content, pointer)) {
            case JsonPlace.Found.None(String reason) -> new Inserted.Nowhere(reason);
            case JsonPlace.Found.Member member ->
                new Inserted.Into(spliced(content, member.start(), member.end(), value), true);
            case JsonPlace.Found.Gap(int at, boolean alone) ->
                new Inserted.Into(spliced(content, at, at, added(value, alone)), false);
        };
    }

    private byte[] added(byte[] value, boolean alone) {
        byte[] name = Encodings.json(pointer.last().getBytes(UTF_8));
        ByteArrayOutputStream member = new ByteArrayOutputStream(name.length + value.length + 2);
        member.writeBytes(name);
        member.write(':');
        member.writeBytes(value);
        if (!alone) {
            member.write(',');
        }
        return member.toByteArray();
    }

    private static byte[] spliced(byte[] content, int from, int to, byte[] by) {
        byte[] all = new byte[content.length - (to - from) + by.length];
        System.arraycopy(content, 0, all, 0, from);
        System.arraycopy(by, 0, all, from, by.length);
        System.arraycopy(content, to, all, from + by.length, content.length - to);
        return all;
    }

    @Override
    public boolean typed(RequestHead asked) {
        return WholeContent.typed(asked, TYPE, "+json");
    }

    @Override
    public Found find(byte[] content) {
        return switch (JsonPlace.find(content, pointer)) {
            case JsonPlace.Found.None(String reason) -> new Found.Unreadable(reason);
            case JsonPlace.Found.Member(int start, int end, String text) ->
                new Found.Place(List.of(text), spliced(content, start, end, new byte[] {'0'}));
            case JsonPlace.Found.Gap ignored -> new Found.Place(List.of(), content);
        };
    }

    @Override
    public String place() {
        return "the content's member " + pointer.text();
    }

    @Override
    public String toString() {
        return "JsonMember[" + pointer.text() + InjectionForms.told(part) + "]";
    }
}
