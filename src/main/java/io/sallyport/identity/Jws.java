package io.sallyport.identity;

import io.sallyport.http.Parsed;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A signed JWT in compact form (RFC 7515 section 7.1), taken apart and not yet believed.
 *
 * @param signingInput the first two parts as they came: what the signature covers
 */
record Jws(JsonNode header, JsonNode claims, byte[] signingInput, byte[] signature) {

    /** Larger ones are refused unread: no workload token is near it, and parsing is work that a stranger can ask for. */
    static final int MAX_BYTES = 16 * 1024;

    /** A name twice means that two readers may see two tokens: strict. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** RFC 8725 section 3.11: a DPoP proof, a logout token or a security event of the same issuer is no proof of a workload. */
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/jwt", "application/at+jwt");

    static Parsed<Jws> parse(String token) {
        if (token.length() > MAX_BYTES) {
            return Parsed.malformed("larger than " + MAX_BYTES + " bytes");
        }
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return Parsed.malformed("not a signed JWT: " + parts.length + " parts where three are");
        }
        try {
            Jws jws = new Jws(
                    object(decode(parts[0])),
                    object(decode(parts[1])),
                    token.substring(0, token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII),
                    decode(parts[2]));
            return jws.understood();
        } catch (IllegalArgumentException | JacksonException | CharacterCodingException malformed) {
            // The parser's message may quote the token.
            return Parsed.malformed("not a signed JWT: a part is not base64url of one JSON object");
        }
    }

    private Parsed<Jws> understood() {
        // RFC 7515 section 4.1.11: what must be understood and is not, refuses. No extension is understood here, "b64"
        // included.
        if (header.has("crit") || header.has("b64")) {
            return Parsed.malformed("a critical header extension");
        }
        if (header.has("typ") && !TYPES.contains(header.path("typ").asString("").toLowerCase(java.util.Locale.ROOT))) {
            return Parsed.malformed("a JWT of another type");
        }
        if (!header.path("alg").isString()) {
            return Parsed.malformed("no algorithm");
        }
        if (header.has("kid") && !header.path("kid").isString()) {
            return Parsed.malformed("a kid that is no text");
        }
        return Parsed.valid(this);
    }

    String algorithm() {
        return header.path("alg").asString("");
    }

    /** Empty when the header names none. */
    String keyId() {
        return header.path("kid").asString("");
    }

    String issuer() {
        return text("iss");
    }

    /** A claim's text; empty when it is missing or no text. */
    String text(String claim) {
        JsonNode value = claims.path(claim);
        return value.isString() ? value.asString() : "";
    }

    private static byte[] decode(String part) {
        return Base64.getUrlDecoder().decode(part);
    }

    private static JsonNode object(byte[] bytes) throws CharacterCodingException {
        // A strict decoder: replacing bad bytes would let two different tokens name one subject.
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        JsonNode node = JSON.readTree(text);
        if (!node.isObject()) {
            throw new IllegalArgumentException("not an object");
        }
        return node;
    }
}
