package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A refusal as an HTTP answer: fields with Proxy-Status (RFC 9209) and the challenge, and the JSON content. */
public final class RefusalText {

    private static final int LONGEST_DETAILS = 300;

    private RefusalText() {}

    public static Fields fields(Refusal refusal) {
        List<Field> lines = new ArrayList<>();
        lines.add(new Field("Content-Type", "application/json"));
        lines.add(new Field("Cache-Control", "no-store"));
        lines.add(new Field(
                "Proxy-Status",
                "sallyport; error=" + refusal.proxyStatus() + "; details="
                        + string(refusal.error() + ": " + refusal.reason())));
        if (refusal.status() == 407) {
            lines.add(new Field("Proxy-Authenticate", "Basic realm=\"sallyport\""));
            lines.add(new Field("Proxy-Authenticate", "Bearer realm=\"sallyport\""));
        }
        if (refusal.status() == 401) {
            lines.add(new Field("WWW-Authenticate", "Basic realm=\"sallyport\""));
            lines.add(new Field("WWW-Authenticate", "Bearer realm=\"sallyport\""));
        }
        if (refusal.retryAfter() != null) {
            // Rounded up: a client that waits exactly this long must not come too early.
            long seconds = Math.max(1, (refusal.retryAfter().toMillis() + 999) / 1000);
            lines.add(new Field("Retry-After", Long.toString(seconds)));
        }
        return Fields.of(lines);
    }

    /**
     * A string of RFC 9651 section 3.3.3: ASCII that can be printed. Of a refused CONNECT many clients show the fields alone, so the
     * reason stands here too; cut, since a field has less room than content.
     */
    private static String string(String text) {
        StringBuilder value = new StringBuilder("\"");
        for (char c :
                text.substring(0, Math.min(text.length(), LONGEST_DETAILS)).toCharArray()) {
            if (c == '"' || c == '\\') {
                value.append('\\');
            }
            value.append(c < 0x20 || c > 0x7e ? '?' : c);
        }
        return value.append('"').toString();
    }

    /** The JSON content; ends with a line feed, for whoever reads it in a terminal. */
    public static byte[] content(Refusal refusal) {
        String json = "{\"error\":" + quoted(refusal.error())
                + ",\"reason\":" + quoted(refusal.reason())
                + ",\"scope\":" + quoted(refusal.scope())
                + ",\"hint\":" + quoted(refusal.hint())
                + ",\"ledger\":"
                + quoted(refusal.ledger() == null ? null : refusal.ledger().toString())
                + "}\n";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < 0x20 || c > 0x7e) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
