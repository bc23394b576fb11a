package io.sallyport.bench.hop;

import io.sallyport.testing.PemFiles;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestProcess;
import java.nio.file.Path;
import java.util.List;

/** Where a benchmark is run: an origin and a broker, each a process of its own, on documents made for it. */
final class BenchGround implements AutoCloseable {

    private final TestProcess broker;
    private final Process origin;
    private final int originPort;
    private final TestCertificates authority;
    private final Yardsticks yardsticks;

    private BenchGround(TestProcess broker, Process origin, int originPort, TestCertificates authority) {
        this.broker = broker;
        this.origin = origin;
        this.originPort = originPort;
        this.authority = authority;
        this.yardsticks = new Yardsticks(broker.folder(), originPort);
    }

    Yardsticks yardsticks() {
        return yardsticks;
    }

    TestCertificates authority() {
        return authority;
    }

    int managementPort() {
        return broker.managementPort();
    }

    /** @param jar the broker's; the origin runs on this process' own class path */
    static BenchGround open(Path jar) throws Exception {
        int port = Yardsticks.freePort();
        TestCertificates authority = TestCertificates.authority();
        TestProcess broker = TestProcess.prepared().jar(jar);
        Process origin = startOrigin(broker.folder(), port, authority);
        writeDocuments(broker, "https://localhost:" + port);
        return new BenchGround(broker.start(), origin, port, authority);
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
        return broker.task("bench:all", "bench:plain").token();
    }

    private static void writeDocuments(TestProcess broker, String originUrl) {
        // One task from one address stands for many agents.
        for (String limit : List.of("connections", "connections-per-source", "connections-per-task")) {
            broker.setting("sallyport.proxy.limits." + limit, "10000");
        }
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
                          plain:
                            reason: The same without injection, and so without scrubbing
                            destination: {url: "%s", addresses: [127.0.0.0/8]}
                            allow: ["GET /plain/**"]
                            credential: none
                        """.formatted(originUrl, originUrl));
    }

    private static Process startOrigin(Path folder, int port, TestCertificates authority) throws Exception {
        authority.writeRoot(folder.resolve("origin-root.pem"));
        Path chain = folder.resolve("origin.pem");
        Path key = folder.resolve("origin.key");
        PemFiles.write(authority.issue("127.0.0.1", "localhost"), chain, key);
        return new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx512m",
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

    @Override
    public void close() {
        yardsticks.close();
        origin.destroyForcibly();
        broker.close();
    }
}
