package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.InjectionCase;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A signature over a request, by a key that is not sent. */
class SignedInjectionTest extends InjectionCase {

    private static final String HMAC =
            "{kind: hmac, field: X-Signature, template: \"v0={signature}\", separator: \":\","
                    + " timestamp-field: X-Time, over: [{text: v0}, timestamp, content]}";

    private static String hmac(String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(TestHop.SECRET.getBytes(ISO_8859_1), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(ISO_8859_1)));
    }

    @EveryDoor
    void the_content_that_arrives_is_the_one_that_is_signed_and_the_time_is_the_brokers(Door door) throws Exception {
        inject(HMAC);
        for (Ask ask : new Ask[] {
            Ask.of("POST /v1/x", "x_signature: mine", "X-Time: 12").content("hello".getBytes(ISO_8859_1)),
            Ask.of("POST /v1/x").unsized("hello".getBytes(ISO_8859_1)),
            Ask.of("GET /v1/x")
        }) {
            if (door.gateway() && !ask.fields().isEmpty()) {
                // There a second value in the place of the token is a doubt.
                continue;
            }
            long before = hop.clock().instant().getEpochSecond();
            Reply reply = ask(door, ask);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            TestOrigin.Received seen = seen(door);
            assertThat(seen.field("X-Time")).hasSize(1);
            String time = seen.field("X-Time").getFirst();
            assertThat(Long.parseLong(time))
                    .isBetween(before, hop.clock().instant().getEpochSecond());
            assertThat(seen.field("X-Signature"))
                    .containsExactly("v0=" + hmac("v0:" + time + ":" + (ask.content() == null ? "" : "hello")));
            assertThat(seen.text()).isEqualTo(ask.content() == null ? "" : "hello");
            assertThat(seen.head()).doesNotContain("mine", "sk-live");
            assertThat(entry("outcome")).contains("\"injected\":[\"up\"]").doesNotContain("content_changed");
        }
    }

    /** It could be replayed for as long as the destination takes its time for a fresh one. */
    @EveryDoor
    void a_signature_that_is_echoed_is_masked(Door door) {
        inject(HMAC);
        door.origin(hop).answer(TestOrigin.echo());
        Reply reply = ask(door, Ask.of("POST /v1/x").content("hello".getBytes(ISO_8859_1)));
        String signature = seen(door).field("X-Signature").getFirst().substring("v0=".length());
        assertThat(reply.text()).contains("v0=***").doesNotContain(signature);
    }

    @EveryDoor
    void more_content_than_can_be_gathered_is_not_sent_without_a_signature(Door door) {
        inject(HMAC);
        Reply reply = ask(door, Ask.of("POST /v1/x").unsized(new byte[1024 * 1024 + 1]));
        assertThat(reply.status()).isEqualTo(413);
        assertThat(door.origin(hop).received()).isEmpty();
    }
}
