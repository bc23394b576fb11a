package io.sallyport.testing;

import io.sallyport.credential.CredentialSettings;
import io.sallyport.credential.KmsSettings;
import io.sallyport.credential.VaultSettings;
import io.sallyport.grant.Grant;
import io.sallyport.grant.GrantSettings;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Locks;
import io.sallyport.grant.Opening;
import io.sallyport.grant.RandomId;
import io.sallyport.grant.TaskTokens;
import io.sallyport.http.Origin;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.ledger.BookDigest;
import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.LedgerSettings;
import io.sallyport.net.NetSettings;
import io.sallyport.net.Resolver;
import io.sallyport.net.UpstreamProxy;
import io.sallyport.policy.Binding;
import io.sallyport.policy.Policy;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.HopLifecycle;
import io.sallyport.proxy.InterceptionRoot;
import io.sallyport.proxy.ListenerSettings;
import io.sallyport.proxy.LiveFlows;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.rules.RuleBooks;
import io.sallyport.rules.RulesSettings;
import io.sallyport.store.StoreSettings;
import io.sallyport.store.Writer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The hop with every room that it stands on, wired as in the product and without its doors: real store, ledger, grants, rules from
 * documents, and a TLS origin of the test's own. Names end in {@code .up.test} and resolve to loopback; what a test says otherwise, it
 * says through {@link #names}.
 *
 * <pre>{@code
 * try (TestHop hop = TestHop.start()) {
 *     RawClient agent = hop.tunnel("api.up.test", hop.token("read"));
 *     agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n\r\n");
 *     assertThat(agent.read().status()).isEqualTo(200);
 *     assertThat(hop.origin().received().getFirst().field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
 * }
 * }</pre>
 */
public final class TestHop implements AutoCloseable {

    /** Looks different in every encoding. */
    public static final String SECRET = "sk-live-Ab/Cd+Ef=Gh&Ij\"Kl<Mn>7890qrSTuvWX";

    /** Scopes of the policy {@code fixer}: read, write (limited body) and stream with a credential, blob and plain without. */
    public static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Exercises the hop
            review-by: 2099-01-01
            who:
              - {identity: ci, subject: "agent-1"}
            task: {ttl: 15min, uses: 100000, bytes-out: 10GiB, depth: 2, at-once: 64, binding: address}
            scopes:
              read:
                reason: Reads
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /v1/**", "GET /echo"]
                credential: up
              write:
                reason: Writes
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["POST,PUT /v1/**"]
                credential: up
              small:
                reason: Writes little
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["POST /small"]
                limits: {body: 64KiB}
                credential: up
              blob:
                reason: Anything, without a credential
                destination: {url: "https://blob.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["* /**"]
                credential: none
              plain:
                reason: Plain HTTP, without a credential
                destination: {url: "http://plain.up.test:${plain}", addresses: [127.0.0.0/8]}
                allow: ["* /**"]
                credential: none
              small-plain:
                reason: Plain HTTP, little
                destination: {url: "http://small.up.test:${plain}", addresses: [127.0.0.0/8]}
                allow: ["POST /**"]
                limits: {body: 64KiB}
                credential: none
              clear:
                reason: A credential over plain HTTP, because its document lists it
                destination: {url: "http://clear.up.test:${plain}", addresses: [127.0.0.0/8]}
                allow: ["GET /v1/**"]
                credential: up
            """;

    /** A test that ends does not wait for what it left running. */
    private static final ProxySettings.Deadlines AT_ONCE =
            ProxySettings.Deadlines.DEFAULT.withDrain(Duration.ofMillis(1));

    private static final String IDENTITY = """
            sallyport: v1
            identity: ci
            kind: static
            issuer: https://issuer.up.test
            audience: https://broker.up.test
            isolation: container
            jwks: {file: jwks.json}
            """;

    private static final String CREDENTIAL = """
            sallyport: v1
            credential: up
            destinations: ["https://api.up.test:${tls}", "http://clear.up.test:${plain}", "https://two.up.test:${h2}"]
            source: {kind: file, name: up}
            inject: {kind: bearer}
            blast-radius: low
            """;

    private final Path folder;
    private final TestCertificates authority;
    private final ListenerSettings.@Nullable Transparent transparent;
    private final @Nullable UpstreamProxy proxy;
    private final TestOrigin tlsOrigin;
    private final TestOrigin plainOrigin;
    private final Http2Origin http2Origin;
    private final TestNames names = new TestNames();
    private final TestClock clock = new TestClock();
    private final AnnotationConfigApplicationContext rooms = new AnnotationConfigApplicationContext();

    /** Tests that look at masks have more of them than a task would. */
    private static ProxySettings usual(Path trust) {
        ProxySettings settings = ProxySettings.of(0, "127.0.0.1", trust).with(AT_ONCE);
        return settings.with(settings.limits().withMasksPerTask(1_000_000));
    }

    /** With the usual documents; the TLS origin answers {@code ok} for every name below {@code up.test}. */
    public static TestHop start() {
        return start(settings -> settings);
    }

    public static TestHop start(UnaryOperator<ProxySettings> settings) {
        return start(settings, POLICY);
    }

    /** @param policy a document for {@code policies/fixer.yml}; {@code ${tls}}, {@code ${plain}} and {@code ${h2}} are the origins' ports */
    public static TestHop start(UnaryOperator<ProxySettings> settings, String policy) {
        TestCertificates authority = TestCertificates.authority();
        return new TestHop(authority, authority.issue("*.up.test"), settings, policy);
    }

    /** With the usual documents, and listeners of a test's own for connections that are led to them. */
    public static TestHop startTransparent(ListenerSettings.Transparent transparent) {
        return startTransparent(transparent, POLICY);
    }

    /** The same with another policy. */
    public static TestHop startTransparent(ListenerSettings.Transparent transparent, String policy) {
        TestCertificates authority = TestCertificates.authority();
        return new TestHop(authority, authority.issue("*.up.test"), settings -> settings, policy, null, transparent);
    }

    /** With an origin whose certificate is not as it should be. */
    public static TestHop startWith(TestCertificates authority, TestCertificates.Issued certificate) {
        return startWith(authority, certificate, POLICY);
    }

    public static TestHop startWith(TestCertificates authority, TestCertificates.Issued certificate, String policy) {
        return new TestHop(authority, certificate, settings -> settings, policy);
    }

    /** The same with other settings. */
    public static TestHop startWith(
            TestCertificates authority,
            TestCertificates.Issued certificate,
            UnaryOperator<ProxySettings> settings,
            String policy) {
        return new TestHop(authority, certificate, settings, policy);
    }

    /** Behind a proxy at the way out; the authority has signed what the destinations show, and may have signed what the proxy shows. */
    public static TestHop startThrough(TestCertificates authority, UpstreamProxy proxy, String policy) {
        return new TestHop(authority, authority.issue("*.up.test"), settings -> settings, policy, proxy);
    }

    private TestHop(
            TestCertificates authority,
            TestCertificates.Issued certificate,
            UnaryOperator<ProxySettings> settings,
            String policy) {
        this(authority, certificate, settings, policy, null);
    }

    private TestHop(
            TestCertificates authority,
            TestCertificates.Issued certificate,
            UnaryOperator<ProxySettings> settings,
            String policy,
            @Nullable UpstreamProxy proxy) {
        this(authority, certificate, settings, policy, proxy, null);
    }

    private TestHop(
            TestCertificates authority,
            TestCertificates.Issued certificate,
            UnaryOperator<ProxySettings> settings,
            String policy,
            @Nullable UpstreamProxy proxy,
            ListenerSettings.@Nullable Transparent transparent) {
        this.authority = authority;
        this.transparent = transparent;
        this.proxy = proxy;
        this.tlsOrigin = TestOrigin.tls(certificate, TestOrigin.ok("hello"));
        this.plainOrigin = TestOrigin.plain(TestOrigin.ok("hello"));
        this.http2Origin = new Http2Origin(certificate, Http2Origin.ok("hello"));
        try {
            this.folder = Files.createTempDirectory("sallyport-hop-");
            Path trust = authority.writeRoot(folder.resolve("roots.pem"));
            writeDocuments(policy);
            wire(settings.apply(usual(trust)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void wire(ProxySettings settings) {
        bean(Clock.class, () -> clock);
        rooms.registerBean("nanos", LongSupplier.class, () -> clock::nanos);
        rooms.registerBean("testNames", Resolver.class, () -> names, definition -> definition.setPrimary(true));
        bean(ProxySettings.class, () -> settings);
        bean(
                ListenerSettings.class,
                () -> new ListenerSettings(
                        "127.0.0.1",
                        ListenerSettings.Ports.ANY,
                        100,
                        folder.resolve("sockets"),
                        transparent(settings)));
        bean(
                StoreSettings.class,
                () -> new StoreSettings(folder.resolve("data"), null, "file:" + folder.resolve("key/master.key")));
        bean(GrantSettings.class, () -> new GrantSettings("https://broker.up.test"));
        bean(LedgerSettings.class, () -> new LedgerSettings("test", "one"));
        bean(NetSettings.class, () -> new NetSettings(List.of()).through(proxy, folder.resolve("roots.pem")));
        bean(RulesSettings.class, () -> RulesSettings.in(folder.resolve("rules")));
        bean(CredentialSettings.class, () -> new CredentialSettings(folder.resolve("secrets")));
        bean(VaultSettings.class, VaultSettings::none);
        bean(KmsSettings.class, KmsSettings::none);
        bean(BookDigest.class, () -> {
            // Had at the first use: the ledger comes before the books.
            AtomicReference<RuleBooks> books = new AtomicReference<>();
            return () -> {
                RuleBooks known = books.get();
                if (known == null) {
                    known = room(RuleBooks.class);
                    books.set(known);
                }
                return known.current().digest();
            };
        });
        bean(Locks.class, () -> candidate -> Optional.empty());
        rooms.scan(
                "io.sallyport.store",
                "io.sallyport.net",
                "io.sallyport.identity",
                "io.sallyport.policy",
                "io.sallyport.grant",
                "io.sallyport.credential",
                "io.sallyport.ledger",
                "io.sallyport.rules",
                "io.sallyport.proxy");
        rooms.refresh();
    }

    /** Whatever a test is about, its hop takes led connections too, where there can be any. */
    private ListenerSettings.Transparent transparent(ProxySettings settings) {
        if (transparent != null) {
            return transparent;
        }
        return settings.jdkTransport() ? ListenerSettings.Transparent.NONE : LedNetwork.listener();
    }

    private <T> void bean(Class<T> type, Supplier<T> value) {
        ((GenericApplicationContext) rooms).registerBean(type, value);
    }

    private void writeDocuments(String policy) throws IOException {
        Files.createDirectories(
                folder.resolve("secrets"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        secret("up", SECRET.getBytes(StandardCharsets.US_ASCII));
        document("identities/ci.yml", IDENTITY);
        document("credentials/up.yml", CREDENTIAL);
        document("policies/fixer.yml", policy);
        Files.writeString(
                folder.resolve("rules/identities/jwks.json"),
                TestIssuer.at("https://issuer.up.test", "https://broker.up.test")
                        .jwks());
    }

    /** Writes a document; {@link #reload} makes it count. */
    public TestHop document(String place, String text) {
        try {
            Path file = folder.resolve("rules").resolve(place);
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    text.replace("${tls}", Integer.toString(tlsOrigin.port()))
                            .replace("${plain}", Integer.toString(plainOrigin.port()))
                            .replace("${h2}", Integer.toString(http2Origin.port())));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another secret in the place of {@link #SECRET}, before the first use. */
    public void secret(String text) {
        secret("up", text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes the file of a {@code file} source, byte for byte. */
    public TestHop secret(String name, byte[] content) {
        try {
            Path file = Files.write(folder.resolve("secrets").resolve(name), content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RuleBooks.Reload reload() {
        return room(RuleBooks.class).reload();
    }

    /** A room's bean. */
    public <T> T room(Class<T> face) {
        return rooms.getBean(face);
    }

    /** A bean of which there are several. */
    public <T> T named(String name, Class<T> face) {
        return rooms.getBean(name, face);
    }

    public TestOrigin origin() {
        return tlsOrigin;
    }

    public TestOrigin plainOrigin() {
        return plainOrigin;
    }

    /** Speaks HTTP/2. */
    public Http2Origin http2Origin() {
        return http2Origin;
    }

    public TestNames names() {
        return names;
    }

    public TestClock clock() {
        return clock;
    }

    /** {@code HOST:PORT} of the TLS origin under one of its names. */
    public String host(String name) {
        return name + ":" + tlsOrigin.port();
    }

    public String plainHost(String name) {
        return name + ":" + plainOrigin.port();
    }

    public int port() {
        return room(HopLifecycle.class).port();
    }

    /** Opens a grant of {@code fixer} for loopback and mints its token. */
    public String token(String... scopes) {
        return token(grant(scopes));
    }

    public String token(Grant grant) {
        return room(TaskTokens.class).mint(grant);
    }

    public Grant grant(String... scopes) {
        return grant(grant -> {}, scopes);
    }

    /** @param seen gets the grant before it is opened */
    public Grant grant(Consumer<Grant> seen, String... scopes) {
        return open(unopened(scopes));
    }

    /** The same grant, bound otherwise. */
    public static Grant bound(Grant grant, Binding binding) {
        return new Grant(
                grant.id(),
                grant.jti(),
                grant.task(),
                grant.parent(),
                grant.depth(),
                grant.policy(),
                grant.policyDigest(),
                grant.scopes(),
                grant.resources(),
                grant.workload(),
                grant.person(),
                grant.isolation(),
                grant.address(),
                grant.uses(),
                grant.bytesOut(),
                grant.openedAt(),
                grant.expiresAt(),
                grant.purpose(),
                binding);
    }

    /** The same grant, from another address. */
    public static Grant from(Grant grant, String address) {
        return new Grant(
                grant.id(),
                grant.jti(),
                grant.task(),
                grant.parent(),
                grant.depth(),
                grant.policy(),
                grant.policyDigest(),
                grant.scopes(),
                grant.resources(),
                grant.workload(),
                grant.person(),
                grant.isolation(),
                address,
                grant.uses(),
                grant.bytesOut(),
                grant.openedAt(),
                grant.expiresAt(),
                grant.purpose(),
                grant.binding());
    }

    /** The same grant, with another end. */
    public static Grant until(Grant grant, Instant end) {
        return new Grant(
                grant.id(),
                grant.jti(),
                grant.task(),
                grant.parent(),
                grant.depth(),
                grant.policy(),
                grant.policyDigest(),
                grant.scopes(),
                grant.resources(),
                grant.workload(),
                grant.person(),
                grant.isolation(),
                grant.address(),
                grant.uses(),
                grant.bytesOut(),
                grant.openedAt(),
                end,
                grant.purpose(),
                grant.binding());
    }

    /** One that a test may change before it opens it. */
    public Grant unopened(String... scopes) {
        Policy policy = room(RuleBooks.class).current().policy("fixer").orElseThrow();
        Instant now = clock.instant();
        return new Grant(
                RandomId.of("grant"),
                RandomId.of("token"),
                RandomId.of("task"),
                null,
                0,
                "fixer",
                policy.digest(),
                new TreeSet<>(Set.of(scopes)),
                Set.<Origin>of(),
                new Principal("ci", "agent-1"),
                null,
                Isolation.CONTAINER,
                "127.0.0.1/32",
                policy.task().uses(),
                policy.task().bytesOut(),
                now,
                now.plus(Duration.ofMinutes(15)),
                null,
                Binding.ADDRESS);
    }

    /** Opens a grant that a test made itself. */
    public Grant open(Grant grant) {
        room(Writer.class).write(tx -> {
            room(RuleBooks.class)
                    .keepVersion(
                            tx,
                            room(RuleBooks.class)
                                    .current()
                                    .policy(grant.policy())
                                    .orElseThrow());
            if (!(room(Grants.class).open(tx, grant) instanceof Opening.Opened)) {
                throw new IllegalStateException("the grant was not opened");
            }
            return grant;
        });
        return grant;
    }

    /** A connection to the hop, with nothing said yet. */
    public RawClient connect() {
        return RawClient.to(port());
    }

    /** Through a CONNECT and the TLS handshake to one of the origin's names. */
    public RawClient tunnel(String name, String token) {
        return tunnel(name, token, name);
    }

    /** @param serverName what TLS asks for, where it is not the name of the CONNECT */
    public RawClient tunnel(String name, String token, String serverName) {
        return connected(name, tlsOrigin.port(), token).tls(trust(), serverName, tlsOrigin.port());
    }

    /** @param trust of a client that was given the hop's authority earlier */
    public RawClient tunnel(String name, String token, SSLContext trust) {
        return connected(name, token).tls(trust, name, tlsOrigin.port());
    }

    /** To a destination of the test's own. */
    public RawClient tunnel(String name, int port, String token) {
        return connected(name, port, token).tls(trust(), name, port);
    }

    /** To the origin that speaks HTTP/2. */
    public RawClient tunnelToHttp2(String name, String token) {
        return connected(name, http2Origin.port(), token).tls(trust(), name, http2Origin.port());
    }

    /** Through a CONNECT; what follows is the tunnel's. */
    public RawClient connected(String name, String token) {
        return connected(name, tlsOrigin.port(), token);
    }

    /** HTTP/2 inside the tunnel, its preface said. @param settings of the agent's, pairs of identifier and value */
    public RawHttp2Client http2(String name, String token, int... settings) {
        return http2(connected(name, token).tls(trust(), name, tlsOrigin.port(), "h2", "http/1.1"), settings);
    }

    /** The same, to the origin that speaks HTTP/2. */
    public RawHttp2Client http2ToHttp2(String name, String token, int... settings) {
        return http2(
                connected(name, http2Origin.port(), token).tls(trust(), name, http2Origin.port(), "h2", "http/1.1"),
                settings);
    }

    private static RawHttp2Client http2(RawClient tls, int... settings) {
        if (!tls.protocol().equals("h2")) {
            throw new IllegalStateException("the hop chose \"" + tls.protocol() + "\"");
        }
        return RawHttp2Client.over(tls, settings);
    }

    private RawClient connected(String name, int port, String token) {
        RawClient agent = connect();
        String host = name + ":" + port;
        agent.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\nProxy-Authorization: "
                + RawClient.basic(token) + "\r\n\r\n");
        String head = agent.head();
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("CONNECT was answered: " + head);
        }
        return agent;
    }

    /** A grant of a task that knows of no hop, from whose address everything is led here. Skips a test where nothing can be. */
    public Grant ledGrant(String... scopes) {
        return open(from(unopened(scopes), LedNetwork.get().address() + "/32"));
    }

    /** A connection of such a task's that was on its way to this port. */
    public RawClient led(Grant grant, int port) {
        return RawClient.over(LedNetwork.get().connect(this, grant.address().replace("/32", ""), port));
    }

    /** The same in TLS, to one of the origin's names. */
    public RawClient led(Grant grant, String name) {
        return led(grant, tlsOrigin.port()).tls(trust(), name, tlsOrigin.port());
    }

    /** Trusts the authorities that the hop publishes now, and nothing else. */
    public SSLContext trust() {
        try {
            KeyStore roots = KeyStore.getInstance("PKCS12");
            roots.load(null, null);
            byte[] pem = room(InterceptionRoot.class).pem().getBytes(StandardCharsets.US_ASCII);
            for (Certificate root :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                roots.setCertificateEntry("hop-" + roots.size(), root);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(roots);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Entries of one kind as canonical JSON, oldest first; waits for what was submitted before. */
    public List<String> entries(String kind) {
        room(Writer.class).write(tx -> 0);
        return room(Ledger.class)
                .find(new Ledger.Query(null, null, null, kind, null, null, -1, 1000))
                .entries()
                .stream()
                .map(Ledger.Entry::canonical)
                .toList();
    }

    public LiveFlows flows() {
        return room(LiveFlows.class);
    }

    public HopHealth health() {
        return room(HopHealth.class);
    }

    public TestCertificates authority() {
        return authority;
    }

    @Override
    public void close() {
        rooms.close();
        tlsOrigin.close();
        plainOrigin.close();
        http2Origin.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
