package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A marked secret in every form that somebody could turn back into it, to be looked for in what must not hold it. */
public final class Needle {

    private final String name;
    private final Map<String, String> forms = new LinkedHashMap<>();
    private final Map<String, String> echoes = new LinkedHashMap<>();

    private Needle(String name) {
        this.name = name;
    }

    /** Raw, base64 at each of three offsets in both alphabets, percent, JSON, hex. @param name how a failure calls it */
    public static Needle of(String name, String secret) {
        Needle needle = new Needle(name);
        needle.add("", secret);
        return needle;
    }

    /** And in the pair of Basic with this user. */
    public Needle andBasic(String user, String secret) {
        add("Basic ", user + ":" + secret);
        forms.remove("Basic raw");
        return this;
    }

    private void add(String kind, String text) {
        forms.put(kind + "raw", text);
        for (int offset = 0; offset < 3; offset++) {
            String whole = Base64.getEncoder().encodeToString(("x".repeat(offset) + text).getBytes(ISO_8859_1));
            String standard = core(whole, offset);
            forms.put(kind + "base64+" + offset, standard);
            forms.put(kind + "base64url+" + offset, url(standard));
            echoes.put(kind + "base64+" + offset, whole);
            echoes.put(kind + "base64url+" + offset, url(whole));
        }
        StringBuilder percent = new StringBuilder();
        for (char c : text.toCharArray()) {
            boolean plain = Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0;
            percent.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        forms.put(kind + "percent", percent.toString());
        forms.put(kind + "percent, lower case", lowerEscapes(percent.toString()));
        forms.put(kind + "JSON", text.replace("\\", "\\\\").replace("\"", "\\\""));
        forms.put(kind + "JSON with escaped slashes", text.replace("\"", "\\\"").replace("/", "\\/"));
        forms.put(
                kind + "HTML",
                text.replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;"));
        String hex = HexFormat.of().formatHex(text.getBytes(ISO_8859_1));
        forms.put(kind + "hex", hex);
        forms.put(kind + "hex, upper case", hex.toUpperCase(Locale.ROOT));
    }

    /** Without the characters that depend on what stands before and after. */
    private static String core(String base64, int offset) {
        String unpadded = base64.replace("=", "");
        return unpadded.substring(offset == 0 ? 0 : offset + 1, unpadded.length() - 1);
    }

    private static String url(String base64) {
        return base64.replace('+', '-').replace('/', '_');
    }

    private static String lowerEscapes(String percent) {
        StringBuilder text = new StringBuilder(percent);
        for (int i = text.indexOf("%"); i >= 0; i = text.indexOf("%", i + 1)) {
            text.replace(i, i + 3, text.substring(i, i + 3).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    /** Which form of which secret is in there; empty for none. @param haystack bytes as Latin-1 */
    public Optional<String> in(String haystack) {
        return forms.entrySet().stream()
                .filter(form -> haystack.contains(form.getValue()))
                .findFirst()
                .map(form -> {
                    int at = haystack.indexOf(form.getValue());
                    return name + " (" + form.getKey() + ") after '"
                            + haystack.substring(Math.max(0, at - 200), at).replace('\n', '|') + "'";
                });
    }

    /** What is looked for, by what it is. */
    public Map<String, String> forms() {
        return forms;
    }

    /** The same forms whole, as an origin echoes them. */
    public Map<String, String> echoes() {
        Map<String, String> all = new LinkedHashMap<>(forms);
        all.putAll(echoes);
        return all;
    }
}
