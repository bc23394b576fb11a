package io.sallyport.testing;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A class of cases that share one hop: each begins with an origin that has seen nothing and answers {@code hello}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HopCase {

    protected final TestHop hop = startHop();

    /** Another hop, where the usual one won't do. */
    protected TestHop startHop() {
        return TestHop.start();
    }

    @BeforeEach
    void freshOrigins() {
        hop.origin().answer(TestOrigin.ok("hello"));
        hop.plainOrigin().answer(TestOrigin.ok("hello"));
        hop.origin().answerToExpect(null);
        hop.plainOrigin().answerToExpect(null);
        hop.origin().received().clear();
        hop.plainOrigin().received().clear();
    }

    @AfterAll
    void closeHop() {
        hop.close();
    }

    /** A request inside a tunnel to {@code api.up.test}. */
    protected String request(String line, String... fields) {
        return text(line, hop.host("api.up.test"), fields);
    }

    /** @param host for the Host field */
    protected static String text(String line, String host, String... fields) {
        StringBuilder text = new StringBuilder(line)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        for (String field : fields) {
            text.append(field).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    /** {@code Proxy-Authorization} with a token. */
    protected static String shows(String token) {
        return "Proxy-Authorization: " + RawClient.basic(token);
    }
}
