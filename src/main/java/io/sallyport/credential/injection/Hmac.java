package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.http.RequestHead;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A signature by a shared key (RFC 2104) over named parts of the request, in one field. Dated by the broker's clock.
 *
 * @param field for the signature @param template of the field, with {@code {signature}} in it
 * @param timestampField for the time that is signed; null where it stands in the template, or none is signed
 */
record Hmac(
        String field,
        Template template,
        HmacMessage message,
        HmacKey key,
        HmacText text,
        @Nullable String timestampField)
        implements Injection {

    static final String SIGNATURE = "signature";
    static final String TIMESTAMP = "timestamp";

    /** How the key is written in the secret. @param part of it */
    record HmacKey(String part, HmacText.Encoding encoding) {}

    /** How the signature is made and written. */
    record HmacText(String algorithm, Encoding encoding) {

        enum Encoding {
            TEXT,
            HEX,
            BASE64,
            BASE64URL
        }
    }

    @Override
    public Set<String> slots() {
        Set<String> slots = new HashSet<>();
        slots.add(field.toLowerCase(Locale.ROOT));
        if (timestampField != null) {
            slots.add(timestampField.toLowerCase(Locale.ROOT));
        }
        return Set.copyOf(slots);
    }

    private List<String> shownParts() {
        List<String> parts = new ArrayList<>(template.parts());
        parts.removeAll(List.of(SIGNATURE, TIMESTAMP));
        return parts;
    }

    @Override
    public Optional<String> problem(Material material) {
        List<String> parts = shownParts();
        parts.add(key.part());
        Optional<String> problem = SecretFitness.problem(material, parts);
        if (problem.isPresent()) {
            return problem;
        }
        byte[] decoded =
                HmacCodec.decoded(material.part(key.part()).orElseThrow().bytes(), key.encoding());
        if (decoded == null || decoded.length < SecretFitness.SHORTEST) {
            return Optional.of(SecretFitness.named(key.part()) + " is no key of 8 bytes or more in "
                    + key.encoding().name().toLowerCase(Locale.ROOT));
        }
        Arrays.fill(decoded, (byte) 0);
        return Optional.empty();
    }

    /** The destination knows the key too, and may say it. */
    @Override
    public List<Shown> shown(Material material) {
        List<String> parts = shownParts();
        parts.add(key.part());
        return InjectionForms.shown(material, parts);
    }

    @Override
    public boolean signs() {
        return true;
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] secret = java.util.Objects.requireNonNull(
                HmacCodec.decoded(material.part(key.part()).orElseThrow().bytes(), key.encoding()));
        // What of the template is the secret's is filled now; signature and time are filled on each request.
        byte[] prepared = template.filled(
                material,
                Map.of(
                        SIGNATURE, ("{" + SIGNATURE + "}").getBytes(US_ASCII),
                        TIMESTAMP, ("{" + TIMESTAMP + "}").getBytes(US_ASCII)));
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return new OneRequest(secret, prepared, clock.instant());
            }

            @Override
            public void close() {
                Arrays.fill(secret, (byte) 0);
                Arrays.fill(prepared, (byte) 0);
            }
        };
    }

    private final class OneRequest implements Placement {
        private final byte[] secret;
        private final byte[] prepared;
        private final Instant now;
        private byte @Nullable [] signature;

        OneRequest(byte[] secret, byte[] prepared, Instant now) {
            this.secret = secret;
            this.prepared = prepared;
            this.now = now;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            RequestHead dated = timestampField == null
                    ? outgoing
                    : Written.withField(
                            outgoing, timestampField, message.timestamp().text(now));
            return message.ofContent() ? new Injected.Done(dated) : signed(dated, new byte[0]);
        }

        @Override
        public ContentUse content() {
            return message.ofContent() ? ContentUse.WHOLE : ContentUse.NONE;
        }

        @Override
        public Injected whole(RequestHead outgoing, byte[] content) {
            return signed(outgoing, content);
        }

        private Injected signed(RequestHead head, byte[] content) {
            return switch (message.text(head, content, now)) {
                case HmacMessage.Text.Missing(String field) ->
                    new Injected.Refused(
                            Injected.Misfit.HEAD,
                            "the credential signs the field " + field + ", which is to stand there once");
                case HmacMessage.Text.Bytes(byte[] bytes) -> {
                    byte[] written = HmacCodec.encoded(mac(bytes), text.encoding());
                    signature = written;
                    String value = new String(prepared, US_ASCII)
                            .replace("{" + SIGNATURE + "}", new String(written, US_ASCII))
                            .replace("{" + TIMESTAMP + "}", message.timestamp().text(now));
                    yield new Injected.Done(Written.withField(head, field, value));
                }
            };
        }

        private byte[] mac(byte[] bytes) {
            try {
                Mac mac = Mac.getInstance(text.algorithm());
                mac.init(new SecretKeySpec(secret, text.algorithm()));
                return mac.doFinal(bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + text.algorithm(), e);
            }
        }

        @Override
        public List<byte[]> scrubbed() {
            return signature == null ? List.of() : List.of(signature);
        }
    }

    /** Signs in what this names. */
    @Override
    public String toString() {
        return "Hmac[" + field + ", " + template.text() + ", " + message + ", " + key + ", " + text + ", "
                + timestampField + "]";
    }
}
