package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The same hop where no native sockets and no native TLS load. */
class FallbackTransportTest extends HopCase {

    @Override
    protected TestHop startHop() {
        return TestHop.start(ProxySettings::withJdkTransport);
    }

    @Test
    void the_jdks_sockets_and_tls_do_the_same_job() {
        byte[] content = new byte[3 * 1024 * 1024];
        Arrays.fill(content, (byte) 'x');
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read", "write"))) {
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("hello");
            agent.send(request("POST /v1/x", "Content-Length: " + content.length))
                    .send(content);
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received().get(1).content()).isEqualTo(content);
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** What TLS can't read it quotes in its complaint. */
    @Test
    void what_comes_in_the_clear_where_tls_is_spoken_is_in_no_log() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger all = (Logger) LoggerFactory.getLogger("io.sallyport");
        Level before = all.getLevel();
        all.setLevel(Level.TRACE);
        all.addAppender(log);
        log.start();
        String token = hop.token("read");
        try (RawClient clear = hop.connected("api.up.test", token);
                RawClient agent =
                        clear.tls(hop.trust(), "api.up.test", hop.origin().port())) {
            assertThat(agent.send(request("GET /v1/x")).read().status()).isEqualTo(200);
            clear.send(text("GET /v1/x", "x", "Authorization: Bearer " + token));
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(List.copyOf(log.list))
                            .anyMatch(event -> event.getFormattedMessage().contains("NotSslRecord")));
        } finally {
            all.detachAppender(log);
            all.setLevel(before);
        }
        String hex = HexFormat.of().formatHex(token.getBytes(StandardCharsets.US_ASCII));
        assertThat(log.list)
                .extracting(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .noneMatch(line -> line.contains(token) || line.contains(hex));
    }
}
