package io.sallyport.bench.hop;

import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Where a benchmark is run: an origin and a broker, each a process of its own, on documents made for it. */
final class BenchGround implements AutoCloseable {

    private final TestProcess broker;
    private final Process origin;
    private final int originPort;

    private BenchGround(TestProcess broker, Process origin, int originPort) {
        this.broker = broker;
        this.origin = origin;
        this.originPort = originPort;
    }

    /** @param jar the broker's; the origin runs on this process' own class path */
    static BenchGround open(Path jar) throws Exception {
        int port;
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = any.getLocalPort();
        }
        TestProcess broker = TestProcess.prepared().jar(jar);
        Process origin = startOrigin(broker.folder(), port);
        writeDocuments(broker, "https://127.0.0.1:" + port);
        return new BenchGround(broker.start(), origin, port);
    }

    int originPort() {
        return originPort;
    }

    int hopPort() {
        return broker.hopPort();
    }

    Path originTrust() {
        return broker.folder().resolve("origin-root.pem");
    }

    Path hopTrust() {
        return broker.authority();
    }

    ProcessCpu originCpu() {
        return new ProcessCpu(origin.pid());
    }

    ProcessCpu brokerCpu() {
        return new ProcessCpu(broker.pid());
    }

    String taskToken() {
        return broker.task("bench:all").token();
    }

    private static void writeDocuments(TestProcess broker, String originUrl) {
        broker.secret("up", "sk-bench-Ab/Cd+Ef=Gh7890qrSTuvWX")
                .setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + broker.folder().resolve("origin-root.pem"))
                .document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: [{url: "%s", addresses: [127.0.0.0/8]}]
                        source: {kind: file, name: up}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(originUrl))
                .document("policies", "bench", """
                        sallyport: v1
                        policy: bench
                        owner: bench@example.com
                        reason: Measures the hop
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100000000, bytes-out: 1000GiB, binding: address}
                        scopes:
                          all:
                            reason: Everything on the origin of the benchmark
                            destination: {url: "%s", addresses: [127.0.0.0/8]}
                            allow: ["* /**"]
                            wide: The origin is the benchmark's own
                            credential: up
                        """.formatted(originUrl));
    }

    private static Process startOrigin(Path folder, int port) throws Exception {
        TestCertificates authority = TestCertificates.authority();
        authority.writeRoot(folder.resolve("origin-root.pem"));
        TestCertificates.Issued issued = authority.issue("127.0.0.1");
        Path chain = Files.writeString(folder.resolve("origin.pem"), pem((Object[]) issued.chain()));
        Path key = Files.writeString(
                folder.resolve("origin.key"),
                pem(new JcaPKCS8Generator(issued.keys().getPrivate(), null)));
        return new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchOrigin.class.getName(),
                        Integer.toString(port),
                        chain.toString(),
                        key.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("origin.log").toFile())
                .start();
    }

    private static String pem(Object... objects) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            for (Object object : objects) {
                pem.writeObject(object);
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        origin.destroyForcibly();
        broker.close();
    }
}
