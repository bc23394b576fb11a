package io.sallyport.proxy;

import io.sallyport.http.CredentialEndpoints;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.ledger.Sha256;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one answer hands out, where a scope says in words that it may: the names of its members that are known to be credentials, and the hashes
 * of their values. It looks at what passes and holds nothing up. For the flow's own thread.
 */
public final class FreshCredentials {

    /** Of the content, this much is looked at: a credential stands in a short answer. */
    static final int LOOKED_AT = 64 * 1024;

    static final int MOST = 16;

    /** A shorter value could be told from its hash by trying. */
    static final int SHORTEST = 16;

    private static final FreshCredentials NONE = new FreshCredentials(false);
    private static final JsonMapper JSON = new JsonMapper();

    /** Without regard to case and separators. */
    private static final Set<String> NAMES = Set.of(
            "accesstoken",
            "refreshtoken",
            "idtoken",
            "token",
            "authtoken",
            "sessiontoken",
            "authorizationtoken",
            "clienttoken",
            "jwt",
            "signedjwt",
            "clientassertion",
            "apikey",
            "key",
            "keystring",
            "privatekey",
            "privatekeydata",
            "secret",
            "secretaccesskey",
            "clientsecret",
            "secrettext",
            "plaintext",
            "password",
            "value",
            "encodedjitconfig");

    private final boolean asked;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream(0);
    private @Nullable String type;

    /** @param name null for none @param sha256 lower-case hexadecimal; null for none */
    public record Found(@Nullable String name, @Nullable String sha256) {}

    private FreshCredentials(boolean asked) {
        this.asked = asked;
    }

    /** @param credentialed whether a credential of ours is on the request: else nothing is handed out in our name */
    public static FreshCredentials askedForBy(RequestHead request, boolean credentialed) {
        return credentialed
                        && CredentialEndpoints.find(request.method(), request.target())
                                .isPresent()
                ? new FreshCredentials(true)
                : NONE;
    }

    /** Only an answer that grants what was asked for hands anything out. */
    public void answered(ResponseHead head) {
        if (asked && head.status() / 100 == 2) {
            type = type(head.fields());
        }
    }

    private static String type(Fields fields) {
        String said = fields.first("content-type").orElse("");
        return said.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** The next piece, as the agent gets it; left as it is. */
    public void content(ByteBuffer piece) {
        if (type == null) {
            return;
        }
        ByteBuffer rest = piece.slice().limit(Math.min(piece.remaining(), LOOKED_AT - seen.size()));
        byte[] bytes = new byte[rest.remaining()];
        rest.get(bytes);
        seen.writeBytes(bytes);
    }

    /** What was handed out so far: where nothing is known to be a credential, one without a name; empty where nothing was asked for, or granted. */
    public List<Found> found() {
        String answered = type;
        if (answered == null) {
            return List.of();
        }
        List<Found> found = new ArrayList<>();
        if (answered.equals("application/x-www-form-urlencoded")) {
            ofForm(found);
        } else {
            ofJson(found);
        }
        return found.isEmpty() ? List.of(new Found(null, null)) : found;
    }

    private void ofForm(List<Found> found) {
        for (String pair : seen.toString(StandardCharsets.ISO_8859_1).split("&", MOST * MOST)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                note(found, pair.substring(0, equals), decoded(pair.substring(equals + 1)));
            }
        }
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException badEscape) {
            return value;
        }
    }

    /** What is cut off or no JSON ends the look, and what was found by then stays found. */
    private void ofJson(List<Found> found) {
        try (JsonParser parser = JSON.createParser(seen.toByteArray())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING && parser.currentName() != null) {
                    note(found, parser.currentName(), parser.getString());
                }
            }
        } catch (JacksonException endsHere) {
            // Said above.
        }
    }

    private static void note(List<Found> found, String name, String value) {
        if (found.size() < MOST
                && !value.isEmpty()
                && NAMES.contains(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""))) {
            String hash = value.length() < SHORTEST ? null : Sha256.of(value.getBytes(StandardCharsets.UTF_8));
            found.add(new Found(name, hash));
        }
    }
}
