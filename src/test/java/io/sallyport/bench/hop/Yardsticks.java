package io.sallyport.bench.hop;

import io.sallyport.testing.PemFiles;
import io.sallyport.testing.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Other proxies that put a fixed field on each request, as a measure of what that costs without a broker's promises: nginx in front of the
 * origin, and Squid with interception. Each verifies the origin, keeps its connections, and logs nothing.
 */
final class Yardsticks implements AutoCloseable {

    private final Path folder;
    private final int originPort;
    private final List<Process> started = new java.util.ArrayList<>();

    Yardsticks(Path folder, int originPort) {
        this.folder = folder;
        this.originPort = originPort;
    }

    /** A running yardstick. @param trust its root in PEM form */
    record Running(int port, long pid, Path trust) {}

    /** @return nothing where it is not installed */
    Optional<Running> nginx(TestCertificates authority) throws IOException, InterruptedException {
        Optional<Path> program = program("nginx");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        PemFiles.write(
                authority.issue("127.0.0.1", "localhost"), folder.resolve("nginx.pem"), folder.resolve("nginx.key"));
        Path settings = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                worker_processes 2;
                pid %1$s/nginx.pid;
                error_log %1$s/nginx-error.log;
                events { worker_connections 16384; }
                http {
                  access_log off;
                  client_max_body_size 0;
                  client_body_buffer_size 128k;
                  client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi; uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                  keepalive_requests 100000000;
                  upstream origin { server 127.0.0.1:%2$d; keepalive 64; keepalive_requests 100000000; }
                  server {
                    listen 127.0.0.1:%3$d ssl backlog=1024;
                    ssl_certificate %1$s/nginx.pem;
                    ssl_certificate_key %1$s/nginx.key;
                    location / {
                      proxy_pass https://origin;
                      proxy_http_version 1.1;
                      proxy_buffering off;
                      proxy_set_header Connection "";
                      proxy_set_header Host 127.0.0.1:%2$d;
                      proxy_set_header Authorization "Bearer sk-bench-Ab/Cd+Ef=Gh7890qrSTuvWX";
                      proxy_ssl_verify on;
                      proxy_ssl_name localhost;
                      proxy_ssl_trusted_certificate %1$s/origin-root.pem;
                    }
                  }
                }
                """.formatted(folder, originPort, port));
        long pid = start(port, program.get().toString(), "-c", settings.toString(), "-p", folder.toString());
        return Optional.of(new Running(port, pid, folder.resolve("origin-root.pem")));
    }

    /** @return nothing where it is not installed with interception */
    Optional<Running> squid() throws IOException, InterruptedException {
        Optional<Path> program = program("squid");
        Path minter = Path.of("/usr/lib/squid/security_file_certgen");
        if (program.isEmpty() || !Files.isExecutable(minter)) {
            return Optional.empty();
        }
        int port = freePort();
        Path home = Files.createTempDirectory("squid-bench-");
        Path root = home.resolve("squid-root.pem");
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "30",
                "-subj",
                "/CN=squid bench",
                "-addext",
                "basicConstraints=critical,CA:TRUE",
                "-keyout",
                home.resolve("squid-root.key").toString(),
                "-out",
                root.toString());
        run(minter.toString(), "-c", "-s", home.resolve("squid-leaves").toString(), "-M", "4MB");
        Path settings = Files.writeString(home.resolve("squid.conf"), """
                http_port 127.0.0.1:%2$d ssl-bump generate-host-certificates=on dynamic_cert_mem_cache_size=4MB tls-cert=%1$s/squid-root.pem tls-key=%1$s/squid-root.key
                sslcrtd_program /usr/lib/squid/security_file_certgen -s %1$s/squid-leaves -M 4MB
                sslcrtd_children 2 startup=1
                ssl_bump bump all
                tls_outgoing_options cafile=%1$s/origin-root.pem
                request_header_access Authorization deny all
                request_header_add Authorization "Bearer sk-bench-Ab/Cd+Ef=Gh7890qrSTuvWX" all
                http_access allow all
                cache deny all
                access_log none
                cache_log %1$s/squid.log
                pid_filename %1$s/squid.pid
                coredump_dir %1$s
                shutdown_lifetime 0 seconds
                max_filedescriptors 16384
                """.formatted(home, port));
        Files.copy(folder.resolve("origin-root.pem"), home.resolve("origin-root.pem"));
        if (System.getProperty("user.name").equals("root")) {
            // It gives root up, and has to write here as whom it then is.
            run("chown", "-R", "proxy", home.toString());
        }
        long pid = start(port, program.get().toString(), "-n", "bench" + port, "-N", "-f", settings.toString());
        return Optional.of(new Running(port, pid, root));
    }

    private long start(int port, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(Path.of(command[0]).getFileName() + ".out")
                        .toFile())
                .start();
        started.add(process);
        for (int n = 0; n < 100 && process.isAlive(); n++) {
            try (Socket ready = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return process.pid();
            } catch (IOException notYet) {
                process.waitFor(100, TimeUnit.MILLISECONDS);
            }
        }
        throw new IOException(String.join(" ", command) + " did not start: "
                + Files.readString(folder.resolve(Path.of(command[0]).getFileName() + ".out")));
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("setup.out").toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed; see " + folder.resolve("setup.out"));
        }
    }

    private static Optional<Path> program(String name) {
        return List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin").stream()
                .map(place -> Path.of(place, name.toLowerCase(Locale.ROOT)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    @Override
    public void close() {
        for (Process process : started) {
            // Asked first: Squid leaves shared memory behind when it is killed.
            process.destroy();
            try {
                process.waitFor(3, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
