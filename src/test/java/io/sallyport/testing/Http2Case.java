package io.sallyport.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;

/** Cases whose destination speaks HTTP/2: {@code two.up.test} with a credential, {@code bare.up.test} without. */
public abstract class Http2Case extends HopCase {

    public static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Exercises the hop towards HTTP/2
            review-by: 2099-01-01
            who:
              - {identity: ci, subject: "agent-1"}
            task: {ttl: 15min, uses: 100000, bytes-out: 10GiB, depth: 2, at-once: 500, binding: address}
            scopes:
              two:
                reason: With a credential
                destination: {url: "https://two.up.test:${h2}", addresses: [127.0.0.0/8]}
                allow: ["* /**"]
                wide: for the tests
                credential: up
              bare:
                reason: Without a credential
                destination: {url: "https://bare.up.test:${h2}", addresses: [127.0.0.0/8]}
                allow: ["* /**"]
                credential: none
              old:
                reason: A name whose version of HTTP is tested
                destination: {url: "https://old.up.test:${h2}", addresses: [127.0.0.0/8]}
                allow: ["* /**"]
                credential: none
            """;

    protected Http2Origin origin() {
        return hop.http2Origin();
    }

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY);
    }

    /** Connections of the case before do not serve this one. */
    @BeforeEach
    void freshHttp2Origin() {
        hangUp();
        origin().fresh();
    }

    /** Ends every connection to the origin, and returns when the hop has noticed: it would use one that it takes for alive. */
    protected void hangUp() {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            origin().hangUp();
            return hop.health().upstreams() == 0;
        });
    }

    protected RawClient agent(String name) {
        return hop.tunnelToHttp2(name, hop.token("two", "bare", "old"));
    }

    /** A request inside a tunnel to the HTTP/2 origin. */
    protected String to(String name, String line, String... fields) {
        return text(line, name + ":" + origin().port(), fields);
    }
}
