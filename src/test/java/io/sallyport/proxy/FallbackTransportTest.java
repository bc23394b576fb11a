package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

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
}
