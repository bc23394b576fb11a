package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RW-09: a destination that is signed by nobody, has expired, or is another, at every door to one that speaks TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnprovenDestinationTest {

    private List<TestHop> hops = List.of();

    @BeforeAll
    void start() {
        TestCertificates trusted = TestCertificates.authority();
        hops = List.of(
                TestHop.startWith(trusted, TestCertificates.authority().issue("*.up.test"), Door.POLICY),
                TestHop.startWith(trusted, trusted.issueExpired("*.up.test"), Door.POLICY),
                TestHop.startWith(trusted, trusted.issue("api.other.test"), Door.POLICY));
    }

    @AfterAll
    void stop() {
        hops.forEach(TestHop::close);
    }

    @ParameterizedTest
    @EnumSource(value = Door.class, names = ".*PLAIN.*", mode = EnumSource.Mode.MATCH_NONE)
    void it_sees_no_byte_of_a_request(Door door) {
        for (TestHop hop : hops) {
            try (Caller agent = door.call(hop, door.token(hop))) {
                Reply reply = agent.ask(Ask.of("GET /v1/x"));
                assertThat(reply.status()).isEqualTo(502);
                assertThat(reply.text()).contains("upstream_tls");
            }
            assertThat(hop.origin().received()).isEmpty();
        }
    }
}
