package io.sallyport;

import io.sallyport.admin.AdminSettings;
import io.sallyport.admin.Authorities;
import io.sallyport.credential.BlastRadius;
import io.sallyport.credential.CredentialSettings;
import io.sallyport.credential.KmsSettings;
import io.sallyport.credential.VaultSettings;
import io.sallyport.exchange.ExchangeSettings;
import io.sallyport.grant.GrantSettings;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.identity.Isolation;
import io.sallyport.ledger.BookDigest;
import io.sallyport.ledger.LedgerSettings;
import io.sallyport.net.Cidr;
import io.sallyport.net.NetSettings;
import io.sallyport.net.UpstreamProxy;
import io.sallyport.proxy.InterceptionRoot;
import io.sallyport.proxy.Limits;
import io.sallyport.proxy.ListenerSettings;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.revocation.GrantReach;
import io.sallyport.revocation.IdentitiesInForce;
import io.sallyport.revocation.RevocationSettings;
import io.sallyport.rules.RuleBooks;
import io.sallyport.rules.RulesSettings;
import io.sallyport.store.StoreSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Each room's own settings, cut out of the bound ones. */
@Configuration(proxyBeanMethods = false)
class RoomSettings {

    @Bean
    CredentialSettings credentialSettings(Settings settings) {
        return new CredentialSettings(settings.secrets(), settings.confirmPlaces());
    }

    @Bean
    VaultSettings vaultSettings(Settings settings) {
        Settings.Vault vault = settings.vault();
        try {
            return new VaultSettings(
                    vault.address() == null ? null : URI.create(vault.address()),
                    vault.namespace(),
                    vault.trust() == null ? null : place("sallyport.vault.trust", vault.trust()),
                    vault.addresses().stream()
                            .map(range -> range("sallyport.vault.addresses", range))
                            .toList(),
                    login(vault.auth()));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    @Bean
    KmsSettings kmsSettings(Settings settings) {
        Settings.Kms kms = settings.kms();
        try {
            return new KmsSettings(
                    kms.endpoint() == null ? null : origin("sallyport.kms.endpoint", kms.endpoint()),
                    kms.trust() == null ? null : place("sallyport.kms.trust", kms.trust()),
                    kms.addresses().stream()
                            .map(range -> range("sallyport.kms.addresses", range))
                            .toList(),
                    kms.accessKeyId(),
                    kms.secretAccessKey());
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    private static Origin origin(String key, String text) {
        return switch (Origin.parse(text)) {
            case Parsed.Valid<Origin>(Origin origin) -> origin;
            case Parsed.Malformed<Origin>(String reason) -> throw new IllegalArgumentException(key + ": " + reason);
        };
    }

    private static VaultSettings.@Nullable Login login(Settings.VaultAuth auth) {
        if (auth.method() == null) {
            return null;
        }
        return VaultSettings.Login.of(
                VaultSettings.Method.of(auth.method()),
                auth.mount(),
                auth.role(),
                auth.roleId(),
                auth.secret(),
                auth.wrappedAt());
    }

    private static Cidr range(String key, String text) {
        return switch (Cidr.parse(text)) {
            case Parsed.Valid<Cidr>(Cidr range) -> range;
            case Parsed.Malformed<Cidr>(String reason) -> throw new IllegalArgumentException(key + ": " + reason);
        };
    }

    @Bean
    GrantSettings grantSettings(Settings settings) {
        return new GrantSettings(settings.issuer().toString());
    }

    @Bean
    NetSettings netSettings(Settings settings) {
        Settings.NameAnswers kept = settings.proxy().nameAnswers();
        try {
            String trust = settings.proxy().upstreamTrust();
            return new NetSettings(settings.proxy().nameServers(), kept.keptAtLeast(), kept.keptAtMost())
                    .through(upstreamProxy(settings.proxy()), trust == null ? null : file("upstream-trust", trust));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable UpstreamProxy upstreamProxy(Settings.Proxy proxy) {
        String url = proxy.upstreamProxy();
        if (url != null) {
            return UpstreamProxy.parse(
                    url, proxy.upstreamProxyTarget(), proxy.noProxy(), proxy.upstreamProxyCredential());
        }
        if (proxy.upstreamProxyCredential() != null || !proxy.noProxy().isEmpty()) {
            throw new IllegalArgumentException(
                    "sallyport.proxy.upstream-proxy is not set, but a credential or no-proxy for it is");
        }
        return null;
    }

    @Bean
    ExchangeSettings exchangeSettings(Settings settings) {
        return new ExchangeSettings(settings.issuer().toString());
    }

    @Bean
    StoreSettings storeSettings(Settings settings, Environment environment) {
        return new StoreSettings(
                settings.data(),
                environment.getProperty("spring.datasource.url"),
                settings.keyPlace(),
                settings.previousKeys());
    }

    @Bean
    ProxySettings proxySettings(Settings settings) {
        Settings.Proxy proxy = settings.proxy();
        String trust = proxy.upstreamTrust();
        String authority = proxy.authority();
        try {
            return ProxySettings.of(proxy.port(), proxy.bind(), trust == null ? null : file("upstream-trust", trust))
                    .withAuthority(authority == null ? null : file("authority", authority))
                    .withNames(proxy.names())
                    .with(limits(proxy.limits()))
                    .with(deadlines(proxy.deadlines()))
                    .with(http2(proxy.http2()));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    @Bean
    ListenerSettings listenerSettings(Settings settings) {
        Settings.Listeners listeners = settings.proxy().listeners();
        Settings.Transparent transparent = settings.proxy().transparent();
        try {
            return new ListenerSettings(
                    listeners.bind(),
                    ListenerSettings.Ports.parse(listeners.ports()),
                    listeners.most(),
                    listeners.sockets(),
                    new ListenerSettings.Transparent(
                            transparent.bind(),
                            transparent.port(),
                            ListenerSettings.Transparent.ranges(transparent.sources())));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    private static ProxySettings.Deadlines deadlines(Settings.Deadlines deadlines) {
        return new ProxySettings.Deadlines(
                deadlines.requestHead(),
                deadlines.handshake(),
                deadlines.dial(),
                deadlines.idle(),
                deadlines.pooledIdle(),
                deadlines.patience(),
                deadlines.recognition(),
                deadlines.bodyIdle(),
                deadlines.stall(),
                deadlines.drain());
    }

    private static Limits limits(Settings.Limits set) {
        Limits usual = set.connections() == null ? Limits.usual() : Limits.of(set.connections());
        return new Limits(
                usual.connections(),
                Objects.requireNonNullElse(set.connectionsPerSource(), usual.connectionsPerSource()),
                set.strangersPerSource(),
                Objects.requireNonNullElse(set.connectionsPerTask(), usual.connectionsPerTask()),
                set.requestsPerTask(),
                set.content() == null ? usual.content() : set.content().toBytes(),
                set.contentPerTask().toBytes(),
                set.bodyRate().toBytes(),
                set.injectedContent().toBytes(),
                set.masksPerTask());
    }

    private static ProxySettings.Http2 http2(Settings.Http2 http2) {
        return new ProxySettings.Http2(http2.streams(), http2.window(), http2.resets(), http2.controlFrames());
    }

    private static Path file(String key, String place) {
        return place("sallyport.proxy." + key, place);
    }

    private static Path place(String key, String place) {
        if (!place.startsWith("file:")) {
            throw new StartRefused(key + ": \"" + place + "\" is no place. Allowed: file:PATH.");
        }
        return Path.of(place.substring("file:".length()));
    }

    @Bean
    AdminSettings adminSettings(Settings settings) {
        return new AdminSettings(settings.data());
    }

    /** A radius that settings do not name keeps its default reach. */
    @Bean
    RulesSettings rulesSettings(Settings settings) {
        Map<BlastRadius, Set<Isolation>> reach =
                new EnumMap<>(RulesSettings.in(settings.rules()).reach());
        reach.putAll(Reach.read(settings.blastRadius()));
        return new RulesSettings(settings.rules(), reach, settings.issuer().toString());
    }

    @Bean
    RevocationSettings revocationSettings() {
        return new RevocationSettings(node());
    }

    @Bean
    GrantReach grantReach(RuleBooks books) {
        return new RuledReach(books);
    }

    @Bean
    Authorities authorities(InterceptionRoot root) {
        return new RolledAuthorities(root);
    }

    private static String node() {
        return System.getenv().getOrDefault("HOSTNAME", "localhost");
    }

    /** The version is the jar's; run from classes, there is none. */
    @Bean
    LedgerSettings ledgerSettings() {
        String version = Sallyport.class.getPackage().getImplementationVersion();
        return new LedgerSettings(version == null ? "unpackaged" : version, node());
    }

    @Bean
    IdentitiesInForce identitiesInForce(RuleBooks books) {
        return () -> books.current().identities();
    }

    /** Each entry carries the digest of the book in force. */
    @Bean
    BookDigest bookDigest(RuleBooks books) {
        return () -> books.current().digest();
    }
}
