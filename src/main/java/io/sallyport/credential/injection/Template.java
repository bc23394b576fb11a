package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Reading;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with parts of a secret in it, each named in braces and standing there once, as in {@code "token {secret}"}.
 *
 * @param text as the document has it
 * @param parts names, in order, at least one
 */
record Template(String text, List<String> parts) {

    private static final Pattern MARK = Pattern.compile("\\{([a-z][a-z0-9-]{0,62})}");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]+");

    static final Template SECRET = new Template("{secret}", List.of(Material.SECRET));

    static final Form<Template> FORM = Forms.TEXT.then(text -> {
        Template template = parsed(text);
        return template == null
                ? Reading.unreadable(
                        Forms.quote(text)
                                + " is not a template; allowed: printable ASCII with {secret} or other parts of the secret, each exactly once and no space at its ends, as in \"token {secret}\"")
                : Reading.of(template);
    });

    static @Nullable Template parsed(String text) {
        List<String> parts = new ArrayList<>();
        Matcher marks = MARK.matcher(text);
        while (marks.find()) {
            parts.add(marks.group(1));
        }
        String rest = marks.replaceAll("");
        boolean fit = !parts.isEmpty()
                && parts.stream().distinct().count() == parts.size()
                && rest.indexOf('{') < 0
                && rest.indexOf('}') < 0
                && PRINTABLE.matcher(text).matches()
                && text.equals(text.strip());
        return fit ? new Template(text, List.copyOf(parts)) : null;
    }

    /** What stands before the only part, or null where there are several. */
    @Nullable
    String before() {
        return parts.size() == 1 ? text.substring(0, text.indexOf('{')) : null;
    }

    String after() {
        return text.substring(text.indexOf('}') + 1);
    }

    /** @param material that has all the parts @return for the caller to zero */
    byte[] filled(Material material) {
        return filled(material, Map.of());
    }

    /** @param more what stands for some of the names, besides the material's parts */
    byte[] filled(Material material, Map<String, byte[]> more) {
        ZeroedOutput out = new ZeroedOutput();
        Matcher marks = MARK.matcher(text);
        int from = 0;
        while (marks.find()) {
            out.writeBytes(text.substring(from, marks.start()).getBytes(StandardCharsets.US_ASCII));
            byte[] other = more.get(marks.group(1));
            out.writeBytes(
                    other == null ? material.part(marks.group(1)).orElseThrow().bytes() : other);
            from = marks.end();
        }
        out.writeBytes(text.substring(from).getBytes(StandardCharsets.US_ASCII));
        byte[] all = out.toByteArray();
        out.zero();
        return all;
    }

    private static final class ZeroedOutput extends ByteArrayOutputStream {

        /** Large enough for all that may be in it: one that grows leaves copies behind. */
        ZeroedOutput() {
            super(64 * 1024);
        }

        void zero() {
            java.util.Arrays.fill(buf, 0, count, (byte) 0);
        }
    }
}
