package io.sallyport.testing;

import io.sallyport.cli.AgentDoor;
import io.sallyport.cli.OperatorDoor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The whole broker as a process of its own, on folders, documents and ports made for one test: what a user starts, with nothing
 * replaced. Its workloads' tokens come from {@link #issuer}; the identity {@code ci} takes its word.
 */
public final class TestProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(300);

    private final Path folder;
    private final Ports ports = Ports.free();
    private final TestIssuer issuer = TestIssuer.at("https://issuer.up.test", "https://broker.up.test");
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private List<String> launcher = List.of("-cp", System.getProperty("java.class.path"), "io.sallyport.Sallyport");
    private List<String> wrapper = List.of();

    /** A test's broker lives for seconds: the second-tier compiler would take more of the machine than all else that it does. */
    private List<String> virtualMachine = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private Process process;
    private volatile @Nullable SSLContext trust;

    private record Ports(int agent, int hop, int operator, int management) {

        /** Held together while they are chosen, so that no two are the same. */
        static Ports free() {
            try (ServerSocket a = any();
                    ServerSocket b = any();
                    ServerSocket c = any();
                    ServerSocket d = any()) {
                return new Ports(a.getLocalPort(), b.getLocalPort(), c.getLocalPort(), d.getLocalPort());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static ServerSocket any() throws IOException {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        }
    }

    private TestProcess(Path folder) {
        this.folder = folder;
    }

    /** With its identity and nothing else: add documents, secrets and settings, then {@link #start}. */
    public static TestProcess prepared() {
        try {
            TestProcess broker = new TestProcess(Files.createTempDirectory("sallyport-test-"));
            for (String part :
                    List.of("data", "key", "secrets", "rules/identities", "rules/credentials", "rules/policies")) {
                Files.createDirectories(
                        broker.folder.resolve(part),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            broker.write("jwks.json", broker.issuer.jwks());
            return broker.document("identities", "ci", """
                    sallyport: v1
                    identity: ci
                    kind: static
                    issuer: https://issuer.up.test
                    audience: https://broker.up.test
                    isolation: container
                    jwks: {file: %s}
                    """.formatted(broker.folder.resolve("jwks.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param kind {@code identities}, {@code credentials} or {@code policies} */
    public TestProcess document(String kind, String name, String text) {
        return write("rules/" + kind + "/" + name + ".yml", text);
    }

    public TestProcess secret(String name, String value) {
        return write("secrets/" + name, value);
    }

    public TestProcess setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    public TestProcess environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Runs the built jar instead of this process' own classes, as users do: with no option to the virtual machine. */
    public TestProcess jar(Path jar) {
        virtualMachine = List.of();
        launcher = List.of("-jar", jar.toAbsolutePath().toString());
        return this;
    }

    /** With both compilers and the usual collector, as users have it: for what is measured. */
    public TestProcess optimised() {
        virtualMachine = List.of();
        return this;
    }

    /** Puts a command in front, as {@code strace -f -o FILE}. */
    public TestProcess under(String... command) {
        wrapper = List.of(command);
        return this;
    }

    /** Returns when it is ready; throws with its log when it is not. */
    public TestProcess start() {
        try {
            List<String> command = new ArrayList<>(wrapper);
            command.add(System.getProperty("java.home") + "/bin/java");
            command.add("--enable-native-access=ALL-UNNAMED");
            command.addAll(virtualMachine);
            command.addAll(launcher);
            arguments().forEach((key, value) -> command.add("--" + key + "=" + value));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("broker.log").toFile()));
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
        return this;
    }

    private Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("server.port", Integer.toString(ports.agent()));
        all.put("management.server.port", Integer.toString(ports.management()));
        all.put("sallyport.operator.port", Integer.toString(ports.operator()));
        all.put("sallyport.proxy.port", Integer.toString(ports.hop()));
        all.put("sallyport.issuer", "https://broker.up.test");
        all.put("sallyport.data", folder.resolve("data").toString());
        all.put("sallyport.rules", folder.resolve("rules").toString());
        all.put("sallyport.secrets", folder.resolve("secrets").toString());
        all.put("sallyport.key", "file:" + folder.resolve("key/master.key"));
        all.putAll(settings);
        return all;
    }

    private void awaitReady() {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest readiness = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.management() + "/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(5))
                .build();
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            try {
                if (client.send(readiness, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200) {
                    return;
                }
                process.waitFor(100, TimeUnit.MILLISECONDS);
            } catch (IOException doorStillShut) {
                pause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new IllegalStateException("the broker did not get ready:\n" + log());
    }

    private void pause() {
        try {
            process.waitFor(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public Path folder() {
        return folder;
    }

    public long pid() {
        return process.pid();
    }

    public int hopPort() {
        return ports.hop();
    }

    public int agentPort() {
        return ports.agent();
    }

    public int operatorPort() {
        return ports.operator();
    }

    public int managementPort() {
        return ports.management();
    }

    public AgentDoor agentDoor() {
        return new AgentDoor(URI.create("http://127.0.0.1:" + ports.agent()));
    }

    public OperatorDoor operatorDoor() {
        return new OperatorDoor(
                URI.create("http://127.0.0.1:" + ports.operator()), folder.resolve("data/operator-token"));
    }

    public String workloadToken(String subject) {
        return issuer.token(subject, Instant.now());
    }

    /** Exchanges for the workload {@code agent-1}. */
    public AgentDoor.TaskToken task(String... scopes) {
        return agentDoor()
                .exchange(new AgentDoor.Request(workloadToken("agent-1"), "", List.of(scopes), List.of(), ""));
    }

    /** The interception authority, in a file for clients. */
    public Path authority() {
        write("ca.pem", agentDoor().authority());
        return folder.resolve("ca.pem");
    }

    /** Trusts the interception authority and nothing else. */
    public SSLContext trust() {
        SSLContext known = trust;
        if (known == null) {
            known = newTrust();
            trust = known;
        }
        return known;
    }

    private SSLContext newTrust() {
        try {
            KeyStore roots = KeyStore.getInstance("PKCS12");
            roots.load(null, null);
            byte[] pem = agentDoor().authority().getBytes(StandardCharsets.US_ASCII);
            roots.setCertificateEntry(
                    "hop", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(roots);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Through a CONNECT, which must be answered with 200, and the TLS handshake. */
    public RawClient tunnel(String host, int port, String token) {
        RawClient agent = RawClient.to(ports.hop());
        String target = host + ":" + port;
        agent.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nProxy-Authorization: "
                + RawClient.basic(token) + "\r\n\r\n");
        String head = agent.head();
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("CONNECT was answered: " + head);
        }
        return agent.tls(trust(), host, port);
    }

    public String log() {
        try {
            return Files.readString(folder.resolve("broker.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}: nothing is flushed, nobody is told. */
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitEnd();
    }

    public void stop() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TestProcess write(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        try (var files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
