package io.sallyport.credential.injection;

import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The password of Basic (RFC 7617) in place of a client's placeholder, with the user name that stands before it.
 *
 * @param user in place of the client's; null where that stays
 */
record BasicPassword(@Nullable String user) implements Swappable {

    @Override
    public Set<String> slots() {
        return Set.of("authorization");
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, Material.SECRET);
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] password = material.part(Material.SECRET).orElseThrow().bytes().clone();
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return new OneRequest(password, user);
            }

            @Override
            public void close() {
                Arrays.fill(password, (byte) 0);
            }
        };
    }

    /** The pair is as good as the secret, and is known with the request. */
    private static final class OneRequest implements Placement {
        private final byte[] password;
        private final @Nullable String user;
        private byte @Nullable [] encoded;

        OneRequest(byte[] password, @Nullable String user) {
            this.password = password;
            this.user = user;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            String name = user == null ? pairs(asked).getFirst().name() : user;
            byte[] value = Encodings.basic(name.getBytes(StandardCharsets.ISO_8859_1), password);
            encoded = Arrays.copyOfRange(value, "Basic ".length(), value.length);
            return new Injected.Done(
                    Written.withField(outgoing, "Authorization", new String(value, StandardCharsets.US_ASCII)));
        }

        @Override
        public List<byte[]> scrubbed() {
            return encoded == null ? List.of() : List.of(encoded);
        }
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(Material.SECRET));
    }

    /** A client's user name and password; both empty where the field is of another scheme or none. */
    private record Pair(String name, String password) {}

    private static List<Pair> pairs(RequestHead asked) {
        return Bearer.credentials(asked.fields(), "basic").stream()
                .map(BasicPassword::pair)
                .toList();
    }

    private static Pair pair(String encoded) {
        try {
            String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
            int colon = text.indexOf(':');
            return colon < 0 ? new Pair("", "") : new Pair(text.substring(0, colon), text.substring(colon + 1));
        } catch (IllegalArgumentException notBase64) {
            return new Pair("", "");
        }
    }

    @Override
    public List<String> brought(RequestHead asked) {
        return pairs(asked).stream().map(Pair::password).toList();
    }

    @Override
    public RequestHead without(RequestHead asked) {
        return asked.withFields(asked.fields().without("Authorization"));
    }

    @Override
    public String place() {
        return "the password of Basic in the field Authorization";
    }
}
