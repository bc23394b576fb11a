package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RW-93: a push as git speaks it, byte for byte: a probe of four bytes, then the pack in chunks, then progress while the server works. */
class GitPushTest extends HopCase {

    private static final String PATH = "/site.git/git-receive-pack";
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString(("x-access-token:" + TestHop.SECRET).getBytes(ISO_8859_1));

    @BeforeAll
    void documents() {
        hop.document("credentials/git.yml", """
                sallyport: v1
                credential: git
                destinations: ["https://git.up.test:${tls}"]
                source: {kind: file, name: up}
                inject: {kind: basic, user: x-access-token}
                blast-radius: low
                """);
        hop.document("policies/fixer.yml", """
                sallyport: v1
                policy: fixer
                owner: team@example.com
                reason: Pushes
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
                scopes:
                  push:
                    reason: Pushes to one repository
                    destination: {url: "https://git.up.test:${tls}", addresses: [127.0.0.0/8]}
                    allow: ["POST /site.git/git-receive-pack"]
                    credential: git
                """);
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private enum Way {
        TUNNEL,
        GATEWAY,
        LED
    }

    private RawClient git(Way way, Grant grant) {
        return switch (way) {
            case TUNNEL -> hop.tunnel("git.up.test", hop.token(grant));
            case GATEWAY -> hop.connect();
            case LED -> hop.led(grant, "git.up.test");
        };
    }

    private String post(Way way, String token, String... fields) {
        boolean gateway = way == Way.GATEWAY;
        String[] all = java.util.Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = gateway
                ? "Authorization: Basic " + Base64.getEncoder().encodeToString(("any:" + token).getBytes(ISO_8859_1))
                : "Content-Type: application/x-git-receive-pack-request";
        return gateway
                ? text("POST /gateway/fixer:push" + PATH, "localhost", all)
                : text("POST " + PATH, hop.host("git.up.test"), all);
    }

    @ParameterizedTest
    @EnumSource
    void probe_and_pack_both_carry_the_credential_and_the_packs_hash_is_kept(Way way) {
        byte[] pack = new byte[3 * 1024 * 1024 + 5];
        new Random(93).nextBytes(pack);
        Grant grant = way == Way.LED ? hop.ledGrant("push") : hop.grant("push");
        String token = hop.token(grant);
        try (RawClient git = git(way, grant)) {
            git.send(post(way, token, "Content-Length: 4") + "0000");
            assertThat(git.read().status()).isEqualTo(200);
            git.send(post(way, token, "Transfer-Encoding: chunked"));
            for (int at = 0; at < pack.length; at += 65_515) {
                int length = Math.min(65_515, pack.length - at);
                git.send(Integer.toHexString(length) + "\r\n")
                        .send(java.util.Arrays.copyOfRange(pack, at, at + length))
                        .send("\r\n");
            }
            git.send("0\r\n\r\n");
            assertThat(git.read().status()).isEqualTo(200);
        }
        List<TestOrigin.Received> seen = hop.origin().received();
        assertThat(seen)
                .hasSize(2)
                .allSatisfy(
                        request -> assertThat(request.field("Authorization")).containsExactly(BASIC));
        assertThat(seen.get(0).text()).isEqualTo("0000");
        assertThat(seen.get(1).content()).isEqualTo(pack);
        String sha256 = HexFormat.of().formatHex(RequestHash.sha256().digest(pack));
        assertThat(hop.entries("window")).anyMatch(entry -> entry.contains(sha256));
    }

    @Test
    void progress_arrives_while_the_server_still_works() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        hop.origin().answer((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: application/x-git-receive-pack-result\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n14\r\n\2remote: counting 1\n\r\n")
                    .getBytes(ISO_8859_1));
            out.flush();
            try {
                if (!seen.await(10, TimeUnit.SECONDS)) {
                    throw new IOException("nobody saw the progress");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write("5\r\n\1done\r\n0\r\n\r\n".getBytes(ISO_8859_1));
        });
        String token = hop.token("push");
        try (RawClient git = hop.tunnel("git.up.test", token)) {
            git.send(post(Way.TUNNEL, token, "Transfer-Encoding: chunked") + "4\r\n0000\r\n0\r\n\r\n");
            git.head();
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("counting 1") < 0) {
                answer.append(git.take());
            }
            seen.countDown();
            while (answer.indexOf("\r\n0\r\n") < 0) {
                answer.append(git.take());
            }
            // Where the chunks are cut is the hop's business: it may hold back what could begin a secret.
            assertThat(answer.toString().replaceAll("\r\n[0-9a-f]+\r\n", "")).contains("done");
        }
    }
}
