package io.sallyport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-24: the agent's own key in content, however it is written and wherever it is cut. */
class ContentSlotsTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    /** The same answer at every size of pieces. */
    private static Optional<ContentWatch.Found> found(String type, String content, String... keep) {
        Optional<ContentWatch.Found> whole = found(type, content, content.length() + 1, keep);
        for (int size : new int[] {1, 2, 3, 7}) {
            assertThat(found(type, content, size, keep))
                    .as("in pieces of " + size)
                    .isEqualTo(whole);
        }
        return whole;
    }

    private static Optional<ContentWatch.Found> found(String type, String content, int size, String... keep) {
        ContentWatch watch = ContentSlots.watch(Fields.of("Content-Type", type), Set.copyOf(Arrays.asList(keep)));
        byte[] bytes = content.getBytes(UTF_8);
        for (int at = 0; at < bytes.length; at += size) {
            ByteBuffer piece = ByteBuffer.wrap(bytes, at, Math.min(size, bytes.length - at));
            Optional<ContentWatch.Found> found = watch.sees(piece);
            assertThat(piece.position()).isEqualTo(at);
            if (found.isPresent()) {
                return found;
            }
        }
        return watch.ended();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token=mine",
                "a=1&token=mine",
                "a=1;token=mine",
                "TOKEN=mine",
                "to%6ben=mine",
                "to%256Ben=mine",
                "token[]=mine",
                "+token+=mine",
                "api_key=mine&q=1",
                "q=1&x.api.key=mine",
                "access-token=mine",
                "client_secret=mine",
                "\r\ntoken=mine"
            })
    void a_forms_field_is_a_slot_in_every_spelling(String content) {
        assertThat(found(FORM, content)).containsInstanceOf(ContentWatch.Found.Slot.class);
        assertThat(found(FORM + "; charset=utf-8", content)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tokens=1&q=token", "channel=C1&text=my token%3dx", "metadata[key]=1", "q=a%26token%3Dx", ""})
    void what_is_no_slot_passes(String content) {
        assertThat(found(FORM, content)).isEmpty();
    }

    @Test
    void a_name_that_the_scope_keeps_passes() {
        assertThat(found(FORM, "key=1&q=2", "key")).isEmpty();
        assertThat(found(FORM, "key=1&token=2", "key")).contains(new ContentWatch.Found.Slot("token"));
    }

    @Test
    void an_action_that_hands_out_credentials_is_found_at_its_end_too() {
        assertThat(found(FORM, "Action=AssumeRole&Version=1")).contains(new ContentWatch.Found.Action("AssumeRole"));
        assertThat(found(FORM, "Version=1&action=Assume%52ole")).contains(new ContentWatch.Found.Action("AssumeRole"));
        assertThat(found(FORM, "Action=GetCallerIdentity&Version=1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"api_key\":\"mine\"}",
                "  {\"q\":1,\"apiKey\" : \"mine\"}",
                "{\"q\":{\"x\":[1,{\"y\":2}]},\"access_token\":\"mine\"}",
                "{\"api\\u005fkey\":\"mine\"}",
                "[{\"q\":1},{\"personal_api_key\":1}]",
                "{\"q\":\"a\\\"b{\",\"client-secret\":null}",
                "{\"q\":1}\n{\"api_key\":1}"
            })
    void an_outermost_member_is_a_slot_by_its_ending_under_whatever_type(String content) {
        for (String type : List.of(JSON, FORM, "text/plain", "application/vnd.api+json")) {
            assertThat(found(type, content)).as(type).containsInstanceOf(ContentWatch.Found.Slot.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":\"a\",\"token\":\"b\",\"password\":\"c\"}",
                "{\"config\":{\"api_key\":\"deeper\"}}",
                "{\"text\":\"\\\"api_key\\\":\\\"x\\\"\"}",
                "{\"q\":\"api_key\"}",
                "{\"messages\":[{\"api_key\":1}]}",
                "api_key"
            })
    void what_is_deeper_or_everyday_passes(String content) {
        assertThat(found(JSON, content)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Disposition: form-data; name=\"token\"",
                "content-disposition:form-data;name=token",
                "Content-Disposition: form-data; filename=\"a;b\"; name=\"api_key\"",
                "Content-Disposition: form-data; filename=\"x\\\"; y\"; NAME=\"token[]\"",
                "Content-Disposition: form-data; name*=UTF-8''to%6ben",
                "X-First: 1\r\nContent-Disposition: form-data;\r\n ; name=\"token\""
            })
    void a_part_is_a_slot_by_its_name(String head) {
        String content = "--B\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nC1\n--B--x\r\n--B\r\n" + head
                + "\r\n\r\nmine\r\n--B--\r\n";
        assertThat(found("multipart/form-data; boundary=\"B\"", content))
                .containsInstanceOf(ContentWatch.Found.Slot.class);
    }

    @Test
    void what_a_part_holds_is_not_its_head() {
        String content = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"token\"\r\n\r\n"
                + "Content-Disposition: form-data; name=\"token\"\r\n--BB\r\nname=\"token\"\r\n--B--\r\n";
        assertThat(found("multipart/form-data; boundary=B", content)).isEmpty();
    }

    @Test
    void a_form_that_can_not_be_looked_into_is_said_to_be_one() {
        assertThat(ContentSlots.unreadable(Fields.of("Content-Type", FORM, "Content-Encoding", "gzip")))
                .isPresent();
        assertThat(ContentSlots.unreadable(Fields.of("Content-Type", FORM + "; charset=utf-16")))
                .isPresent();
        assertThat(ContentSlots.unreadable(Fields.of("Content-Type", "multipart/form-data")))
                .isPresent();
        assertThat(ContentSlots.unreadable(
                        Fields.of("Content-Type", FORM + "; charset=UTF-8", "Content-Encoding", "identity")))
                .isEmpty();
        assertThat(ContentSlots.unreadable(Fields.of("Content-Type", JSON, "Content-Encoding", "gzip")))
                .isEmpty();
    }
}
