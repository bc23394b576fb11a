package io.sallyport.credential.injection;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.oauth2.sdk.dpop.DPoPProofFactory;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.id.JWTID;
import com.nimbusds.oauth2.sdk.token.DPoPAccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An access token that is bound to a key, with a proof of the key for each sending (RFC 9449 section 7).
 *
 * @param part of the secret that is the token; the key is its part {@code private-key}, a JWK of P-256
 */
record Dpop(String part) implements Injection {

    private static final String KEY = "private-key";

    /** Nonces of so many origins are remembered: those of one document are few, but for a wildcard. */
    private static final int ORIGINS = 1000;

    /** RFC 9449 section 8.1: a nonce has characters of NQCHAR. */
    private static final int LONGEST_NONCE = 512;

    static Optional<Injection> read(Keys keys) {
        return InjectionForms.part(keys).map(Dpop::new);
    }

    @Override
    public Set<String> slots() {
        return Set.of("authorization", "dpop");
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part)
                .or(() -> SecretFitness.sizeProblem(material, KEY))
                .or(() -> key(material) == null
                        ? Optional.of(SecretFitness.named(KEY)
                                + " is no private key; a JWK (RFC 7517) of the curve P-256 is allowed")
                        : Optional.empty());
    }

    private static @Nullable ECKey key(Material material) {
        try {
            String text = new String(material.part(KEY).orElseThrow().bytes(), StandardCharsets.UTF_8);
            return JWK.parse(text) instanceof ECKey key
                            && key.isPrivate()
                            && key.getCurve().equals(Curve.P_256)
                    ? key
                    : null;
        } catch (ParseException notJwk) {
            return null;
        }
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] token = material.part(part).orElseThrow().bytes().clone();
        DPoPProofFactory proofs = factory(java.util.Objects.requireNonNull(key(material)));
        ConcurrentHashMap<String, String> nonces = new ConcurrentHashMap<>();
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return new OneRequest(token, proofs, nonces, clock);
            }

            @Override
            public void close() {
                java.util.Arrays.fill(token, (byte) 0);
            }
        };
    }

    private static DPoPProofFactory factory(ECKey key) {
        try {
            return new DefaultDPoPProofFactory(key, JWSAlgorithm.ES256);
        } catch (JOSEException e) {
            throw new IllegalStateException("a key that was read as one of P-256", e);
        }
    }

    private static final class OneRequest implements Placement {
        private final byte[] token;
        private final DPoPProofFactory proofs;
        private final ConcurrentHashMap<String, String> nonces;
        private final Clock clock;
        private String origin = "";
        private @Nullable String proof;

        OneRequest(byte[] token, DPoPProofFactory proofs, ConcurrentHashMap<String, String> nonces, Clock clock) {
            this.token = token;
            this.proofs = proofs;
            this.nonces = nonces;
            this.clock = clock;
        }

        private String token() {
            return new String(token, StandardCharsets.ISO_8859_1);
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            origin = outgoing.origin().toString();
            return new Injected.Done(Written.withField(outgoing, "Authorization", "DPoP " + token()));
        }

        /** A proof works once, so that a second sending has another. */
        @Override
        public RequestHead stamp(RequestHead outgoing) {
            String nonce = nonces.get(origin);
            try {
                proof = proofs.createDPoPJWT(
                                new JWTID(),
                                outgoing.method(),
                                URI.create(origin + outgoing.target().path()),
                                Date.from(clock.instant()),
                                new DPoPAccessToken(token()),
                                nonce == null ? null : new Nonce(nonce))
                        .serialize();
            } catch (JOSEException e) {
                throw new IllegalStateException("a proof could not be signed", e);
            }
            return Written.withField(outgoing, "DPoP", proof);
        }

        /** RFC 9449 section 8.2: what the destination says last counts, whatever it answers. */
        @Override
        public void answered(ResponseHead head) {
            List<String> said = head.fields().all("DPoP-Nonce");
            if (said.size() == 1
                    && !said.getFirst().isEmpty()
                    && said.getFirst().length() <= LONGEST_NONCE
                    && (nonces.size() < ORIGINS || nonces.containsKey(origin))) {
                nonces.put(origin, said.getFirst());
            }
        }

        @Override
        public List<byte[]> scrubbed() {
            return proof == null ? List.of() : List.of(proof.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
