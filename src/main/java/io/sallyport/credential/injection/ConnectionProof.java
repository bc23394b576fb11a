package io.sallyport.credential.injection;

import io.sallyport.credential.ClientCertificate;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A client's certificate and its key, in the TLS handshake (RFC 8446 section 4.4.2). It stands in no request. */
public record ConnectionProof() implements Injection {

    /** No name of a field: one request has one connection, which can prove one thing. */
    private static final String CONNECTION = "tls:client-certificate";

    @Override
    public boolean needsNoContent() {
        return false;
    }

    @Override
    public Set<String> slots() {
        return Set.of(CONNECTION);
    }

    @Override
    public boolean needsTls() {
        return true;
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.sizeProblem(material, Material.SECRET)
                .or(() -> Optional.ofNullable(CertificateText.problem(secret(material)))
                        .map(problem -> "the secret " + problem));
    }

    private static byte[] secret(Material material) {
        return material.part(Material.SECRET).orElseThrow().bytes();
    }

    /** What a connection proves itself with. */
    public ClientCertificate certificate(Material material) {
        return CertificateText.read(secret(material));
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return (asked, outgoing) -> new Injected.Done(outgoing);
            }

            @Override
            public void close() {
                // The certificate is held by whoever makes the connection.
            }
        };
    }

    /** The key never leaves: a destination that never saw it can't echo it. */
    @Override
    public List<Shown> shown(Material material) {
        return List.of();
    }

    @Override
    public String toString() {
        return "ClientCertificate[]";
    }
}
