package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubprotocolsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "realtime, openai-insecure-api-key.sk-1 | realtime",
                "OpenAI-Insecure-API-Key.sk-1, realtime | realtime",
                "v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.abc | v4.channel.k8s.io",
                "token, 0123456789abcdef | token",
                "bearer, a, chat | bearer, chat",
                "chat, eyJhbGciOiJub25lIn0.e30. | chat",
                "aws-appsync-event-ws, header-eyJhIjoxfQ | aws-appsync-event-ws",
                "graphql-ws, graphql-transport-ws | graphql-ws, graphql-transport-ws"
            })
    void a_credential_comes_off_and_the_rest_stays(String sent, String kept) {
        CredentialSlots.Cleaned cleaned = clean(Fields.of("Sec-WebSocket-Protocol", sent), Set.of());
        assertThat(cleaned.fields().all("Sec-WebSocket-Protocol")).containsExactly(kept);
        assertThat(cleaned.removed()).isEqualTo(sent.equals(kept) ? List.of() : List.of("sec-websocket-protocol"));
    }

    @Test
    void nothing_is_left_of_a_field_that_held_nothing_else_and_lines_are_read_as_one_list() {
        Fields sent = Fields.of("Sec-WebSocket-Protocol", "token", "X-A", "1", "sec-websocket-protocol", "secret");
        assertThat(clean(sent, Set.of()).fields())
                .containsExactly(new Field("Sec-WebSocket-Protocol", "token"), new Field("X-A", "1"));
        Fields only = Fields.of("Sec-WebSocket-Protocol", "openai-insecure-api-key.sk-1");
        assertThat(clean(only, Set.of()).fields()).isEmpty();
    }

    @Test
    void a_scope_may_keep_them_and_its_own_credential_takes_the_whole_field() {
        Fields sent = Fields.of("Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.sk-1");
        assertThat(clean(sent, Set.of("sec-websocket-protocol")).fields()).isEqualTo(sent);
        assertThat(CredentialSlots.takeOff(target(), sent, Set.of(), Set.of("sec-websocket-protocol"))
                        .fields())
                .isEmpty();
    }

    private static CredentialSlots.Cleaned clean(Fields fields, Set<String> keep) {
        return CredentialSlots.takeOff(target(), fields, keep, Set.of());
    }

    private static Target target() {
        return Target.parse("/").orElseThrow();
    }
}
