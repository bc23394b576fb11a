package io.sallyport.bench.hop;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sallyport.cli.AgentDoor;
import io.sallyport.testing.TestCertificates;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Where a benchmark is run: an origin and a broker, each a process of its own, on documents made for it. */
final class BenchGround implements AutoCloseable {

    private static final String ISSUER = "https://issuer.bench.test";

    private final Path folder;
    private final int[] ports;
    private final List<Process> processes = new ArrayList<>();
    private final ECKey key;

    private BenchGround(Path folder, int[] ports, ECKey key) {
        this.folder = folder;
        this.ports = ports;
        this.key = key;
    }

    /** @param jar the broker's; the origin runs on this process' own class path */
    static BenchGround open(Path jar) throws Exception {
        BenchGround ground = new BenchGround(
                Files.createTempDirectory("sallyport-bench-"),
                freePorts(5),
                new ECKeyGenerator(Curve.P_256).keyID("bench").generate());
        ground.writeDocuments();
        ground.startOrigin();
        ground.startBroker(jar);
        return ground;
    }

    int originPort() {
        return ports[0];
    }

    int hopPort() {
        return ports[1];
    }

    Path originTrust() {
        return folder.resolve("origin-root.pem");
    }

    ProcessCpu origin() {
        return new ProcessCpu(processes.get(0).pid());
    }

    ProcessCpu broker() {
        return new ProcessCpu(processes.get(1).pid());
    }

    AgentDoor agentDoor() {
        return new AgentDoor(URI.create("http://127.0.0.1:" + ports[2]));
    }

    String taskToken() throws Exception {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("bench").build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience("bench")
                        .subject("agent")
                        .issueTime(new Date())
                        .expirationTime(new Date(System.currentTimeMillis() + 600_000))
                        .build());
        jwt.sign(new ECDSASigner(key));
        return agentDoor()
                .exchange(new AgentDoor.Request(jwt.serialize(), "", List.of("bench:all"), List.of(), ""))
                .token();
    }

    private void writeDocuments() throws Exception {
        for (String part : List.of("data", "key", "secrets", "rules/identities", "rules/credentials", "rules/policies")) {
            Files.createDirectories(
                    folder.resolve(part),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        write("secrets/up", "sk-bench-Ab/Cd+Ef=Gh7890qrSTuvWX");
        write("jwks.json", new JWKSet(key.toPublicJWK()).toString());
        write(
                "rules/identities/bench.yml",
                """
                sallyport: v1
                identity: bench
                kind: static
                issuer: %s
                audience: bench
                isolation: container
                jwks: {file: %s}
                """
                        .formatted(ISSUER, folder.resolve("jwks.json")));
        write(
                "rules/credentials/up.yml",
                """
                sallyport: v1
                credential: up
                destinations: ["%s"]
                source: {kind: file, name: up}
                inject: {kind: bearer}
                blast-radius: low
                """
                        .formatted(originUrl()));
        write(
                "rules/policies/bench.yml",
                """
                sallyport: v1
                policy: bench
                owner: bench@example.com
                reason: Measures the hop
                review-by: 2099-01-01
                who: [{identity: bench, subject: agent}]
                task: {ttl: 1h, uses: 100000000, bytes-out: 1000GiB, binding: address}
                scopes:
                  all:
                    reason: Everything on the origin of the benchmark
                    destination: {url: "%s", addresses: [127.0.0.0/8]}
                    allow: ["* /**"]
                    wide: The origin is the benchmark's own
                    credential: up
                """
                        .formatted(originUrl()));
    }

    private String originUrl() {
        return "https://127.0.0.1:" + originPort();
    }

    private void startOrigin() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        authority.writeRoot(originTrust());
        TestCertificates.Issued issued = authority.issue("127.0.0.1");
        StringWriter chain = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(chain)) {
            for (var certificate : issued.chain()) {
                pem.writeObject(certificate);
            }
        }
        StringWriter privateKey = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(privateKey)) {
            pem.writeObject(new JcaPKCS8Generator(issued.keys().getPrivate(), null));
        }
        write("origin.pem", chain.toString());
        write("origin.key", privateKey.toString());
        start(
                "origin",
                List.of(
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchOrigin.class.getName(),
                        Integer.toString(originPort()),
                        folder.resolve("origin.pem").toString(),
                        folder.resolve("origin.key").toString()));
    }

    private void startBroker(Path jar) throws Exception {
        start(
                "broker",
                List.of(
                        "-jar",
                        jar.toString(),
                        "--server.port=" + ports[2],
                        "--sallyport.proxy.port=" + hopPort(),
                        "--sallyport.operator.port=" + ports[3],
                        "--management.server.port=" + ports[4],
                        "--sallyport.issuer=http://localhost:" + ports[2],
                        "--sallyport.data=" + folder.resolve("data"),
                        "--sallyport.rules=" + folder.resolve("rules"),
                        "--sallyport.secrets=" + folder.resolve("secrets"),
                        "--sallyport.key=file:" + folder.resolve("key/master.key"),
                        "--sallyport.proxy.upstream-trust=file:" + originTrust()));
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest readiness = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports[4] + "/actuator/health/readiness"))
                .build();
        for (int tries = 0; tries < 300; tries++) {
            try {
                if (client.send(readiness, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // Its door is not open yet.
            }
            if (!processes.get(1).isAlive()) {
                break;
            }
            Thread.sleep(200);
        }
        throw new IllegalStateException("the broker did not start:\n" + Files.readString(folder.resolve("broker.log")));
    }

    private void start(String name, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(System.getProperty("java.home") + "/bin/java", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(arguments);
        processes.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }

    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        int[] ports = new int[count];
        for (int n = 0; n < count; n++) {
            held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            ports[n] = held.getLast().getLocalPort();
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
        return ports;
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroy);
        processes.forEach(process -> {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (var files = Files.walk(folder)) {
            for (Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
