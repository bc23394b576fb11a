package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients as agents have them, over HTTP/2: small and large both ways, and many at a time on one connection. */
@Tag("slow")
class Http2ClientsTest extends HopCase {

    private static final int LARGE = 64 * 1024 * 1024;

    private static final String NODE = """
            const http = require('node:http'), http2 = require('node:http2'), tls = require('node:tls');
            const fs = require('node:fs'), crypto = require('node:crypto');
            const [port, target, user, authority, upload] = process.argv.slice(1);
            const connect = http.request({port, method: 'CONNECT', path: target, headers: {'Proxy-Authorization': user}});
            connect.on('connect', (answer, socket) => {
              const secure = tls.connect({socket, servername: target.split(':')[0], ALPNProtocols: ['h2'], ca: fs.readFileSync(authority)});
              const session = http2.connect('https://' + target, {createConnection: () => secure});
              const ask = (method, path, body) => new Promise((done, fail) => {
                const stream = session.request({':method': method, ':path': path});
                const hash = crypto.createHash('sha256'); let size = 0, status = 0;
                stream.on('response', head => status = head[':status']);
                stream.on('data', piece => { hash.update(piece); size += piece.length; });
                stream.on('end', () => done(status + ' ' + size + ' ' + hash.digest('hex')));
                stream.on('error', fail);
                if (body) fs.createReadStream(body).pipe(stream); else stream.end();
              });
              (async () => {
                console.log(await ask('GET', '/v1/small'));
                console.log(await ask('GET', '/v1/large'));
                console.log(await ask('POST', '/v1/hash', upload));
                console.log(await ask('GET', '/v2/no'));
                const many = await Promise.all([...Array(30).keys()].map(i => ask('GET', '/v1/small')));
                console.log(many.filter(line => line.startsWith('200 ')).length);
                session.close();
              })().catch(fault => { console.error(fault); process.exit(1); });
            });
            connect.end();
            """;

    /** HTTP/2 to the proxy itself, a CONNECT on a stream, and HTTP/2 in TLS inside it: what a browser does with an https:// proxy. */
    private static final String NODE_TUNNEL = """
            const http2 = require('node:http2'), tls = require('node:tls'), fs = require('node:fs'), crypto = require('node:crypto');
            const [port, target, user, authority, upload] = process.argv.slice(1);
            const ca = fs.readFileSync(authority);
            const proxy = http2.connect('https://localhost:' + port, {ca});
            const tunnel = proxy.request({':method': 'CONNECT', ':authority': target, 'proxy-authorization': user});
            tunnel.on('response', head => {
              if (head[':status'] !== 200) { console.error(head); process.exit(1); }
              const secure = tls.connect({socket: tunnel, servername: target.split(':')[0], ALPNProtocols: ['h2'], ca}, () => {
                const session = http2.connect('https://' + target, {createConnection: () => secure});
                const ask = (method, path, body) => new Promise((done, fail) => {
                  const stream = session.request({':method': method, ':path': path});
                  const hash = crypto.createHash('sha256'); let size = 0;
                  stream.on('data', piece => { hash.update(piece); size += piece.length; });
                  stream.on('end', () => done(size + ' ' + hash.digest('hex')));
                  stream.on('error', fail);
                  if (body) fs.createReadStream(body).pipe(stream); else stream.end();
                });
                (async () => {
                  console.log(await ask('GET', '/v1/large'));
                  console.log(await ask('POST', '/v1/hash', upload));
                  process.exit(0);
                })().catch(fault => { console.error(fault); process.exit(1); });
              });
            });
            """;

    @TempDir
    static Path folder;

    private final byte[] content = new byte[LARGE];
    private String hash = "";
    private Path upload;
    private Path authority;

    @BeforeAll
    void files() throws Exception {
        Tools.require("curl", "node");
        new Random(7).nextBytes(content);
        hash = sha256(content);
        upload = Files.write(folder.resolve("upload"), content);
        authority = Files.writeString(
                folder.resolve("ca.pem"), hop.room(InterceptionRoot.class).pem());
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /** {@code /large} is the content, {@code /hash} says what came; everything else is small. */
    @BeforeEach
    void origin() {
        hop.origin().answer((request, out) -> {
            if (request.requestLine().contains("/large")) {
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n").getBytes(ISO_8859_1));
                out.write(content);
            } else if (request.requestLine().contains("/hash")) {
                try {
                    TestOrigin.ok(sha256(request.content())).to(request, out);
                } catch (GeneralSecurityException e) {
                    throw new IOException(e);
                }
            } else {
                TestOrigin.ok("hello").to(request, out);
            }
        });
    }

    private String url(String path) {
        return "https://" + hop.host("api.up.test") + path;
    }

    private String curl(String... more) {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "--http2",
                "--cacert",
                authority.toString(),
                "-x",
                "http://task:" + hop.token("read", "write") + "@127.0.0.1:" + hop.port(),
                "-w",
                " %{http_version} %{http_code} %{num_connects}\n"));
        command.addAll(List.of(more));
        Tools.Ran ran = Tools.run(folder, Map.of(), command.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err()).isZero();
        return ran.out();
    }

    @Test
    void curl_through_a_tunnel() throws Exception {
        assertThat(curl(url("/v1/small"))).isEqualTo("hello 2 200 1\n");
        assertThat(curl("-o", "down", url("/v1/large"))).startsWith(" 2 200");
        assertThat(sha256(Files.readAllBytes(folder.resolve("down")))).isEqualTo(hash);
        assertThat(curl("--data-binary", "@upload", url("/v1/hash"))).isEqualTo(hash + " 2 200 1\n");
        assertThat(curl("-T", "-", "-X", "POST", url("/v1/hash"))).startsWith(sha256(new byte[0]) + " 2 200");
        assertThat(hop.origin().received().getLast().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** RW-14 with curl's own words: two readable denials, and the connection serves on. */
    @Test
    void curl_reads_a_refusal_and_goes_on_with_the_same_connection() {
        String out = curl(url("/v1/small"), url("/v2/no"), url("/v1/small"));
        assertThat(out).contains("path_not_allowed").contains(" 2 403 0\n").endsWith("hello 2 200 0\n");
    }

    @Test
    void a_refused_upload_of_curls_is_told_why() {
        assertThat(curl("--data-binary", "@upload", url("/v2/no")))
                .contains("path_not_allowed")
                .contains(" 2 403");
    }

    @Test
    void curl_with_many_at_a_time_on_one_connection() {
        String out = curl("--parallel", "--parallel-max", "30", url("/v1/small/[1-60]"));
        assertThat(out.split("200", -1)).hasSize(61);
        assertThat(hop.origin().received()).hasSize(60);
    }

    @Test
    void curl_with_prior_knowledge_to_the_gateway() {
        String gateway = "http://127.0.0.1:" + hop.port() + "/gateway/fixer:write/v1/hash";
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "curl",
                "-sS",
                "--http2-prior-knowledge",
                "-H",
                "Authorization: Bearer " + hop.token("write"),
                "--data-binary",
                "@upload",
                "-w",
                " %{http_version}",
                gateway);
        assertThat(ran.out()).as(ran.err()).isEqualTo(hash + " 2");
    }

    @Test
    void nodes_http2() throws Exception {
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "node",
                "-e",
                NODE,
                Integer.toString(hop.port()),
                hop.host("api.up.test"),
                RawClient.basic(hop.token("read", "write")),
                authority.toString(),
                upload.toString());
        assertThat(ran.exit()).as(ran.err()).isZero();
        List<String> lines = ran.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("200 5 " + sha256("hello".getBytes(ISO_8859_1)));
        assertThat(lines.get(1)).isEqualTo("200 " + LARGE + " " + hash);
        assertThat(lines.get(2)).isEqualTo("200 64 " + sha256(hash.getBytes(ISO_8859_1)));
        assertThat(lines.get(3)).startsWith("403 ");
        assertThat(lines.get(4)).isEqualTo("30");
    }

    @Test
    void node_with_http2_inside_a_tunnel_on_a_stream() throws Exception {
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "node",
                "-e",
                NODE_TUNNEL,
                Integer.toString(hop.port()),
                hop.host("api.up.test"),
                RawClient.basic(hop.token("read", "write")),
                authority.toString(),
                upload.toString());
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out().lines().toList())
                .containsExactly(LARGE + " " + hash, "64 " + sha256(hash.getBytes(ISO_8859_1)));
    }

    @Test
    void javas_own_client() throws Exception {
        String token = hop.token("read", "write");
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(hop.trust())
                .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", hop.port())))
                .build()) {
            HttpResponse<byte[]> small =
                    client.send(java(token, "/v1/small").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(small.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(small.body()).isEqualTo("hello".getBytes(ISO_8859_1));
            assertThat(sha256(client.send(java(token, "/v1/large").build(), HttpResponse.BodyHandlers.ofByteArray())
                            .body()))
                    .isEqualTo(hash);
            HttpRequest post = java(token, "/v1/hash")
                    .POST(HttpRequest.BodyPublishers.ofFile(upload))
                    .build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo(hash);
            HttpRequest refused = java(token, "/v2/no")
                    .POST(HttpRequest.BodyPublishers.ofFile(upload))
                    .build();
            HttpResponse<String> no = client.send(refused, HttpResponse.BodyHandlers.ofString());
            assertThat(no.statusCode()).isEqualTo(403);
            assertThat(no.body()).contains("path_not_allowed");
            List<CompletableFuture<HttpResponse<String>>> many = IntStream.range(0, 50)
                    .mapToObj(i ->
                            client.sendAsync(java(token, "/v1/small").build(), HttpResponse.BodyHandlers.ofString()))
                    .toList();
            assertThat(many).allSatisfy(one -> assertThat(one.get().body()).isEqualTo("hello"));
        }
    }

    private HttpRequest.Builder java(String token, String path) {
        return HttpRequest.newBuilder(URI.create(url(path))).header("Proxy-Authorization", "Bearer " + token);
    }
}
