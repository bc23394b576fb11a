package io.sallyport.credential.injection;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One member of an object in a JSON content, replaced or added; every byte around it stays as it is. */
record JsonMember(JsonPointer pointer, String part) implements SwappableContent {

    private static final String TYPE = "application/json";

    static Optional<Injection> read(Keys keys) {
        Optional<JsonPointer> pointer = keys.required("pointer", JsonPointer.FORM);
        return InjectionForms.part(keys).flatMap(part -> pointer.map(place -> new JsonMember(place, part)));
    }

    @Override
    public Set<String> slots() {
        return Set.of(slot());
    }

    private String slot() {
        return "json:" + pointer.text();
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part);
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] value = Encodings.json(material.part(part).orElseThrow().bytes());
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return new OneRequest(value);
            }

            @Override
            public void close() {
                Arrays.fill(value, (byte) 0);
            }
        };
    }

    private final class OneRequest implements Placement {
        private final byte[] value;
        private boolean brought;

        OneRequest(byte[] value) {
            this.value = value;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            return typed(asked) ? new Injected.Done(outgoing) : WholeContent.wrongType(TYPE);
        }

        @Override
        public ContentUse content() {
            return ContentUse.WHOLE;
        }

        @Override
        public Injected whole(RequestHead outgoing, byte[] content) {
            return switch (JsonPlace.find(content, pointer)) {
                case JsonPlace.Found.None(String reason) -> WholeContent.unfit(reason);
                case JsonPlace.Found.Member member -> {
                    brought = true;
                    yield WholeContent.done(outgoing, spliced(content, member.start(), member.end(), value));
                }
                case JsonPlace.Found.Gap(int at, boolean alone) ->
                    WholeContent.done(outgoing, spliced(content, at, at, added(alone)));
            };
        }

        private byte[] added(boolean alone) {
            byte[] name = Encodings.json(pointer.last().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            ByteArrayOutputStream member = new ByteArrayOutputStream(name.length + value.length + 2);
            member.writeBytes(name);
            member.write(':');
            member.writeBytes(value);
            if (!alone) {
                member.write(',');
            }
            return member.toByteArray();
        }

        @Override
        public List<String> removed() {
            return brought ? List.of(slot()) : List.of();
        }
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
