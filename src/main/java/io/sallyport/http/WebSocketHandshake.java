package io.sallyport.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The opening handshake of a WebSocket (RFC 6455 section 4): a GET that asks to switch protocols.
 *
 * @param key of Sec-WebSocket-Key: 16 bytes in base64
 * @param subprotocols that were asked for, in order; perhaps none
 */
public record WebSocketHandshake(String key, List<String> subprotocols) {

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String PROTOCOL = "Sec-WebSocket-Protocol";

    public WebSocketHandshake {
        subprotocols = List.copyOf(subprotocols);
    }

    /**
     * Whether a request asks for a WebSocket. Any other protocol that it may ask for besides, or instead, is not asked for as far as the
     * hop is concerned: a server may ignore Upgrade (RFC 9110 section 7.8), and in HTTP/1.0 has to.
     */
    public static boolean asked(RequestHead head) {
        return !head.http10()
                && head.fields().has("Upgrade")
                && has(head.fields(), "Upgrade", "websocket")
                && has(head.fields(), "Connection", "upgrade");
    }

    /** @param head one that {@link #asked} */
    public static Parsed<WebSocketHandshake> of(RequestHead head) {
        Fields fields = head.fields();
        if (!head.method().equals("GET") || !(head.framing() instanceof Framing.None)) {
            return Parsed.malformed("a WebSocket handshake is a GET without content");
        }
        if (!fields.all("Sec-WebSocket-Version").equals(List.of("13"))) {
            return Parsed.malformed("a WebSocket handshake has one Sec-WebSocket-Version, 13");
        }
        List<String> keys = fields.all("Sec-WebSocket-Key");
        if (keys.size() != 1 || !sixteenBytes(keys.getFirst())) {
            return Parsed.malformed("a WebSocket handshake has one Sec-WebSocket-Key: 16 bytes in base64");
        }
        List<String> asked = elements(fields, PROTOCOL).toList();
        if (!asked.stream().allMatch(FieldSyntax::isToken)) {
            return Parsed.malformed("each element of Sec-WebSocket-Protocol is a token");
        }
        return Parsed.valid(new WebSocketHandshake(keys.getFirst(), asked));
    }

    /**
     * The fields of one hop that make a request the handshake, put back after they were stripped. Extensions are never asked for: a
     * compressed message would hide what it holds, from the record on the way out and from the scrubber on the way in.
     */
    public static Fields request(Fields stripped) {
        return upgraded(stripped.without("Sec-WebSocket-Extensions"));
    }

    /**
     * What an extended CONNECT of HTTP/2 (RFC 8441 section 5) is in HTTP/1.1, where the key belongs to one connection: ours.
     *
     * @param key 16 bytes that nobody can tell beforehand
     */
    public static Fields extended(Fields fields, byte[] key) {
        Fields own = fields.without("Sec-WebSocket-Key").without("Sec-WebSocket-Accept");
        return upgraded(own)
                .with(new Field("Sec-WebSocket-Key", Base64.getEncoder().encodeToString(key)));
    }

    /** What a 101 is in HTTP/2: a 200 without the fields that are one connection's. */
    public static Fields withoutSwitch(Fields fields) {
        return fields.without("Connection").without("Upgrade").without("Sec-WebSocket-Accept");
    }

    /** The same for the 101, whose accept value is written anew. */
    public Fields answer(Fields stripped) {
        return upgraded(stripped).with(new Field("Sec-WebSocket-Accept", accept()));
    }

    private static Fields upgraded(Fields fields) {
        return fields.with(new Field("Connection", "Upgrade")).with(new Field("Upgrade", "websocket"));
    }

    /** What is wrong with a 101 (RFC 6455 section 4.1); empty when the connection is a WebSocket now. */
    public Optional<String> problem(Fields answer) {
        if (!has(answer, "Connection", "upgrade")
                || answer.all("Upgrade").size() != 1
                || !has(answer, "Upgrade", "websocket")) {
            return Optional.of("the destination switched to another protocol than the one asked for");
        }
        if (!answer.all("Sec-WebSocket-Accept").equals(List.of(accept()))) {
            return Optional.of("the destination's Sec-WebSocket-Accept is not the key's");
        }
        if (answer.has("Sec-WebSocket-Extensions")) {
            return Optional.of("the destination uses a WebSocket extension that was not asked for");
        }
        List<String> chosen = answer.all(PROTOCOL);
        return chosen.isEmpty() || (chosen.size() == 1 && subprotocols.contains(chosen.getFirst()))
                ? Optional.empty()
                : Optional.of("the destination chose a subprotocol that was not asked for");
    }

    /** What the other side has to answer, so that both know that it understood (RFC 6455 section 4.2.2). */
    public String accept() {
        try {
            byte[] text = (key + MAGIC).getBytes(StandardCharsets.US_ASCII);
            // SHA-1 shows that the peer speaks WebSocket; nothing is secured by it.
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean sixteenBytes(String key) {
        try {
            return key.length() == 24 && Base64.getDecoder().decode(key).length == 16;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static boolean has(Fields fields, String name, String element) {
        return elements(fields, name).anyMatch(element::equalsIgnoreCase);
    }

    static Stream<String> elements(Fields fields, String name) {
        return fields.all(name).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .filter(element -> !element.isEmpty());
    }

    /** One line in the place of all. */
    static Fields withSubprotocols(Fields fields, List<String> kept) {
        List<Field> lines = new ArrayList<>();
        boolean written = kept.isEmpty();
        for (Field line : fields) {
            if (!line.is(PROTOCOL)) {
                lines.add(line);
            } else if (!written) {
                written = true;
                lines.add(new Field(line.name(), String.join(", ", kept)));
            }
        }
        return Fields.of(lines);
    }
}
