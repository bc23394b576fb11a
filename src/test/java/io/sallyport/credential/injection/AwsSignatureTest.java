package io.sallyport.credential.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.ContentRewriter;
import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.testing.SigningOrigin;
import io.sallyport.testing.TestClock;
import io.sallyport.testing.TestOrigin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a source gives becomes a signature on one request, again for each time that it is sent. */
class AwsSignatureTest {

    private static final String TOKEN = "IQoJb3JpZ2luX2VjEJr//token+of/session==";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALSECRET";
    private static final String ID = "ASIAREAL000000000000";

    private static Injection injection(Map<String, Object> more) {
        Map<String, Object> keys = new HashMap<>(Map.of("kind", "sigv4", "service", "s3", "region", "eu-central-1"));
        keys.putAll(more);
        return InjectionForms.read(Keys.of(keys), "up").orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Material temporary() {
        return Material.of(
                Map.of("access-key-id", bytes(ID), "secret-access-key", bytes(SECRET), "session-token", bytes(TOKEN)));
    }

    private static RequestHead head(String target, Framing framing, String... fields) {
        return new RequestHead(
                "PUT",
                Origin.parse("https://bucket.up.test:8443").orElseThrow(),
                Target.parse(target).orElseThrow(),
                Fields.of(fields).with(new Field("Host", "bucket.up.test:8443")),
                framing,
                false);
    }

    private static Injector injector(Injection injection, Material material) {
        return injection.injector(material, text -> {
            throw new AssertionError("a signature seeks nothing");
        });
    }

    private static TestOrigin.Received sent(RequestHead head) {
        StringBuilder text =
                new StringBuilder(head.method() + " " + head.target().text() + " HTTP/1.1\r\n");
        for (Field line : head.fields()) {
            text.append(line.name()).append(": ").append(line.value()).append("\r\n");
        }
        return new TestOrigin.Received(text.toString(), new byte[0]);
    }

    @Test
    void a_temporary_key_is_signed_with_its_session_token() {
        Placement placement = injector(injection(Map.of()), temporary()).placement(new TestClock());
        RequestHead asked = head("/k", new Framing.None());
        Injected.Done done = (Injected.Done) placement.head(asked, asked);
        assertThat(placement.content()).isEqualTo(ContentUse.NONE);
        RequestHead stamped = placement.stamp(done.head());
        assertThat(new SigningOrigin(ID, SECRET, TOKEN, "eu-central-1", "s3")
                        .verify(sent(stamped))
                        .signedFields())
                .contains("x-amz-security-token");
        assertThat(stamped.fields().toString()).doesNotContain(TOKEN, "Signature=");
    }

    @Test
    void each_sending_has_a_signature_of_its_own_time_and_each_is_told_to_the_scrubber() {
        TestClock clock = new TestClock();
        Placement placement = injector(injection(Map.of()), temporary()).placement(clock);
        RequestHead asked = head("/k", new Framing.None());
        RequestHead outgoing = ((Injected.Done) placement.head(asked, asked)).head();
        RequestHead first = placement.stamp(outgoing);
        clock.pass(Duration.ofSeconds(10));
        RequestHead second = placement.stamp(outgoing);
        assertThat(first.fields().first("X-Amz-Date"))
                .isNotEqualTo(second.fields().first("X-Amz-Date"));
        List<String> told = placement.scrubbed().stream()
                .map(it -> new String(it, StandardCharsets.US_ASCII))
                .toList();
        assertThat(told).hasSize(2).allSatisfy(it -> assertThat(it).hasSize(64));
        assertThat(second.fields().first("Authorization").orElseThrow()).endsWith(told.getLast());
        new SigningOrigin(ID, SECRET, TOKEN, "eu-central-1", "s3").verify(sent(second));
    }

    @Test
    void a_source_without_the_parts_is_told_which() {
        Injection whole = injection(Map.of());
        Injection named = injection(Map.of("access-key-id", ID));
        assertThat(whole.problem(temporary())).isEmpty();
        assertThat(whole.problem(Material.of(bytes(SECRET))).orElseThrow()).contains("access-key-id");
        assertThat(named.problem(Material.of(bytes(SECRET)))).isEmpty();
        assertThat(named.problem(temporary()).orElseThrow()).contains("secret");
    }

    @Test
    void what_is_secret_is_sought_in_answers_and_what_is_not_is_not() {
        List<String> shown = injection(Map.of()).shown(temporary()).stream()
                .map(it -> new String(it.secret(), StandardCharsets.US_ASCII))
                .toList();
        assertThat(shown).containsExactlyInAnyOrder(SECRET, TOKEN);
    }

    /** A chain goes on from a signature: what was not sent is not gone on from. */
    @Test
    void chunks_wait_for_their_head() {
        Injection injection = injection(Map.of(
                "placeholder", Map.of("access-key-id", "AKIAPLACEHOLDER00000", "secret-access-key", "placeholder")));
        Placement placement = injector(injection, temporary()).placement(new TestClock());
        RequestHead asked = head(
                "/k",
                new Framing.Length(86),
                "x-amz-content-sha256",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                "x-amz-decoded-content-length",
                "0",
                "X-Amz-Date",
                "20261130T120000Z",
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=AKIAPLACEHOLDER00000/20261130/us-east-1/s3/aws4_request, SignedHeaders=host, Signature="
                        + "0".repeat(64));
        RequestHead outgoing = ((Injected.Done) placement.head(asked, asked)).head();
        assertThat(placement.content()).isEqualTo(ContentUse.STREAM);
        ContentRewriter rewriter = placement.rewriter();
        placement.stamp(outgoing);
        ByteBuffer forged = ByteBuffer.wrap(bytes("0;chunk-signature=" + "0".repeat(64) + "\r\n\r\n"));
        assertThat(rewriter.rewrite(forged, true)).isInstanceOf(ContentRewriter.Rewritten.Refused.class);
    }

    @Test
    void a_key_that_is_closed_signs_nothing_valid() {
        Injector injector = injector(injection(Map.of()), temporary());
        Placement placement = injector.placement(new TestClock());
        RequestHead asked = head("/k", new Framing.None());
        RequestHead outgoing = ((Injected.Done) placement.head(asked, asked)).head();
        injector.close();
        assertThat(placement
                        .stamp(outgoing)
                        .fields()
                        .first("X-Amz-Security-Token")
                        .orElseThrow())
                .doesNotContain("token");
    }
}
