package io.sallyport.cli.show;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;

/** What a platform engineer would write beforehand: an identity, a credential, a policy, and the secret in a folder of its own. */
record ShowDocuments(Path folder, String secret, Path workloadToken) {

    /** How long the show's workload token lasts: long enough to try things out on the broker that stays up. */
    private static final Duration LIFE = Duration.ofHours(12);

    static ShowDocuments write(Path folder, String origin, Instant now) throws IOException {
        for (String part :
                new String[] {"data", "key", "secrets", "rules/identities", "rules/credentials", "rules/policies"}) {
            privately(folder.resolve(part));
        }
        String secret = "sk-show-" + HexFormat.of().formatHex(random());
        ECKey key = newKey();
        write(folder.resolve("secrets/show-api"), secret);
        write(folder.resolve("show.jwks.json"), new JWKSet(key.toPublicJWK()).toString());
        write(folder.resolve("rules/identities/show.yml"), identity(folder));
        write(folder.resolve("rules/credentials/show-api.yml"), credential(origin));
        write(folder.resolve("rules/policies/show.yml"), policy(origin));
        Path token = write(folder.resolve("workload.jwt"), workloadToken(key, now));
        return new ShowDocuments(folder, secret, token);
    }

    private static String identity(Path folder) {
        return """
                sallyport: v1
                identity: show
                kind: static
                issuer: https://runtime.show.test
                audience: sallyport-show
                isolation: container
                jwks: {file: %s}
                """.formatted(folder.resolve("show.jwks.json"));
    }

    private static String credential(String origin) {
        return """
                sallyport: v1
                credential: show-api
                destinations: ["%s"]
                source: {kind: file, name: show-api}
                inject: {kind: bearer}
                blast-radius: low
                """.formatted(origin);
    }

    private static String policy(String origin) {
        return """
                sallyport: v1
                policy: show
                owner: you@example.com
                reason: Shows the main job on an origin of its own
                review-by: 2030-01-01
                who:
                  - {identity: show, subject: agent-1}
                task: {ttl: 1h, uses: 1000, bytes-out: 64MiB, binding: address}
                scopes:
                  read:
                    reason: Reads what the show origin has to say
                    destination: {url: "%1$s", addresses: [127.0.0.0/8]}
                    allow: ["GET /v1/**"]
                    credential: show-api
                  write:
                    reason: Stores a note
                    destination: {url: "%1$s", addresses: [127.0.0.0/8]}
                    allow: ["POST /v1/notes"]
                    credential: show-api
                """.formatted(origin);
    }

    private static String workloadToken(ECKey key, Instant now) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .build(),
                    new JWTClaimsSet.Builder()
                            .issuer("https://runtime.show.test")
                            .audience("sallyport-show")
                            .subject("agent-1")
                            .issueTime(Date.from(now))
                            .expirationTime(Date.from(now.plus(LIFE)))
                            .build());
            jwt.sign(new ECDSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("can't sign the show's workload token", e);
        }
    }

    private static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID("show").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("can't make the show's key", e);
        }
    }

    private static byte[] random() {
        byte[] bytes = new byte[20];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static void privately(Path folder) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static Path write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }
}
