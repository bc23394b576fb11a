package io.sallyport.admin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.sallyport.RunningBroker;
import io.sallyport.credential.Credential;
import io.sallyport.credential.Places;
import io.sallyport.grant.Charge;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Opening;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.http.Origin;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.ledger.Appended;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.policy.Binding;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A running broker with rules, running tasks and a record: what an operator finds on an ordinary day, and one hostile agent. */
final class BusyBroker implements AutoCloseable {

    static final String HOSTILE =
            "\"><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    static final String CONTENT_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    private static final String SHA256 = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

    private final RunningBroker broker;

    private BusyBroker(RunningBroker broker) {
        this.broker = broker;
    }

    static BusyBroker start(Path home) throws IOException {
        RunningBroker.write(home, "rules/identities/jwks.json", jwks());
        RunningBroker.write(home, "rules/identities/cluster.yml", """
                sallyport: v1
                identity: cluster
                kind: static
                issuer: https://kubernetes.default.svc.cluster.local
                audience: https://sallyport.acme.internal
                isolation: container
                jwks: {file: jwks.json}
                """);
        RunningBroker.write(home, "rules/credentials/github-acme.yml", """
                sallyport: v1
                credential: github-acme
                destinations: ["https://api.github.com", "https://github.com"]
                source: {kind: file, name: github-acme}
                inject: {kind: bearer}
                blast-radius: medium
                """);
        RunningBroker.write(home, "rules/policies/site-fixer.yml", policy("site-fixer", "2027-03-01"));
        RunningBroker.write(home, "rules/policies/old-crawler.yml", policy("old-crawler", "2026-01-01"));
        RunningBroker.write(home, "secrets/github-acme", "ghp_0123456789abcdefghij");
        return new BusyBroker(RunningBroker.start(home));
    }

    private static String jwks() {
        try {
            return new JWKSet(new ECKeyGenerator(Curve.P_256)
                            .keyID("k1")
                            .algorithm(JWSAlgorithm.ES256)
                            .generate())
                    .toString();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static String policy(String name, String reviewBy) {
        return """
                sallyport: v1
                policy: %s
                owner: web-platform@acme.example
                reason: Fixes issues on acme/site and opens pull requests
                review-by: %s
                who:
                  - {identity: cluster, subject: "system:serviceaccount:agents:site-fixer"}
                task: {ttl: 15min, uses: 500, bytes-out: 20MiB, depth: 2, binding: address}
                scopes:
                  read:
                    reason: Reads the repository that it fixes
                    destination: https://api.github.com
                    allow: ["GET /repos/acme/site/**"]
                    credential: github-acme
                  pull:
                    reason: Opens the pull request
                    destination: https://api.github.com
                    allow: ["POST /repos/acme/site/pulls"]
                    limits: {rate: 10/min, body: 64KiB}
                    credential: github-acme
                never: ["DELETE /**", "* /**/settings/**"]
                """.formatted(name, reviewBy);
    }

    /** A credential that was used at one place, and whose document then names another besides. */
    void usedAndThenSentElsewhere(String name, String destination) throws IOException {
        RunningBroker.write(broker.home(), "secrets/" + name, "ghp_0123456789abcdefghij");
        credential(name, "\"https://api.github.com\"");
        Credential used = broker.bean(RuleBooks.class).current().credentials().get(name);
        broker.bean(Writer.class).write(tx -> {
            broker.bean(Places.class).confirm(tx, used, "first use");
            return 0;
        });
        sentElsewhere(name, destination);
    }

    void sentElsewhere(String name, String destination) throws IOException {
        credential(name, "\"https://api.github.com\", \"" + destination + "\"");
    }

    private void credential(String name, String destinations) throws IOException {
        RunningBroker.write(
                broker.home(), "rules/credentials/" + name + ".yml", """
                sallyport: v1
                credential: %s
                destinations: [%s]
                source: {kind: file, name: %s}
                inject: {kind: bearer}
                blast-radius: medium
                """.formatted(name, destinations, name));
        broker.bean(RuleBooks.class).reload();
    }

    RunningBroker broker() {
        return broker;
    }

    /** Opens a task that has read twice, was refused once, and never used {@code pull}. */
    Grant task(String id, @Nullable String person, String purpose) {
        Grant grant = opened(id, person, purpose, Binding.ADDRESS);
        use(grant, "/repos/acme/site/issues/17", SHA256);
        use(grant, "/repos/acme/site/contents/" + HOSTILE.replace(' ', '+'), CONTENT_SHA256);
        refused(grant);
        return grant;
    }

    /** Opens a task that is bound to a listener, and has done nothing yet. @return where it is */
    String listening(String id, TaskListener.Wanted wanted) {
        Grant grant = opened(id, null, "Listens", Binding.LISTENER);
        return ((TaskListeners.Opened.Listening)
                        broker.bean(TaskListeners.class).open(grant, wanted))
                .listener()
                .place();
    }

    private Grant opened(String id, @Nullable String person, String purpose, Binding binding) {
        Instant now = broker.bean(Clock.class).instant();
        Grant grant = new Grant(
                "g-" + id,
                "j-" + id,
                id,
                null,
                0,
                "site-fixer",
                broker.bean(RuleBooks.class)
                        .current()
                        .policies()
                        .get("site-fixer")
                        .digest(),
                new TreeSet<>(Set.of("read", "pull")),
                Set.of(),
                new Principal("cluster", "system:serviceaccount:agents:site-fixer"),
                person == null ? null : Principal.parse(person),
                Isolation.CONTAINER,
                "10.2.3.4/32",
                500,
                20 << 20,
                now,
                now.plus(Duration.ofMinutes(15)),
                purpose,
                binding);
        Opening opening = broker.bean(Writer.class).write(tx -> {
            broker.bean(RuleBooks.class)
                    .keepVersion(
                            tx,
                            broker.bean(RuleBooks.class).current().policies().get("site-fixer"));
            broker.bean(Ledger.class)
                    .append(
                            tx,
                            new Fact.Exchanged(
                                    actor(grant),
                                    grant.scopes(),
                                    grant.expiresAt().toString(),
                                    null,
                                    grant.purpose()));
            return broker.bean(Grants.class).open(tx, grant);
        });
        if (opening instanceof Opening.Refused(String cause)) {
            throw new AssertionError(cause);
        }
        return grant;
    }

    private void use(Grant grant, String target, String sha256) {
        Appended used = broker.bean(Writer.class).write(tx -> {
            broker.bean(Grants.class)
                    .reserve(
                            tx,
                            new Charge(grant, "read", 1, 1_500_000, null, OptionalLong.empty(), OptionalLong.empty()));
            return broker.bean(Ledger.class)
                    .append(
                            tx,
                            new Fact.Used(
                                    actor(grant),
                                    "read",
                                    "GET",
                                    new Origin("https", "api.github.com", 443),
                                    target,
                                    4,
                                    sha256,
                                    true,
                                    sha256,
                                    List.of("github-acme"),
                                    List.of("authorization")));
        });
        append(new Fact.Outcome(
                actor(grant),
                used.seq(),
                "answered",
                200,
                "140.82.121.6",
                List.of("github-acme"),
                4,
                5120,
                false,
                null));
    }

    private void refused(Grant grant) {
        append(new Fact.Refused(
                actor(grant),
                null,
                "POST",
                "https://attacker.example",
                "/upload",
                "destination_not_allowed",
                "No scope of this task names attacker.example.",
                403,
                List.of("x-api-key")));
    }

    private void append(Fact fact) {
        broker.bean(Writer.class).write(tx -> broker.bean(Ledger.class).append(tx, fact));
    }

    private static Fact.Actor actor(Grant grant) {
        return new Fact.Actor(grant.task(), grant.id(), grant.policy(), grant.workload(), grant.person());
    }

    @Override
    public void close() {
        broker.close();
    }
}
