package io.sallyport.http;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of the agent's own in a request's content: in a form's fields, whichever of the two codings it has, and among the outermost
 * members of JSON. Content is hashed as it was sent, so nothing is taken out of it: the request is refused.
 *
 * <p>A form's fields are compared with the query parameters of {@link CredentialSlots}; members of JSON with its endings alone, since
 * {@code key}, {@code token} and {@code password} are everyday names there.
 */
public final class ContentSlots {

    private static final FoldedNames MEMBERS = FoldedNames.of(List.of(), SlotNames.ENDINGS);
    private static final List<String> CHARSETS = List.of("utf-8", "utf8", "us-ascii", "iso-8859-1", "windows-1252");

    private ContentSlots() {}

    /** Why a form can't be looked into; empty where it can, and for everything that is no form. */
    public static Optional<String> unreadable(Fields fields) {
        for (String type : fields.all("content-type")) {
            if (!isForm(type) && !isMultipart(type)) {
                continue;
            }
            for (String coding : fields.all("content-encoding")) {
                if (!coding.isBlank() && !coding.strip().equalsIgnoreCase("identity")) {
                    return Optional.of(
                            "the content is a form in a coding (Content-Encoding), in which a credential can't be seen");
                }
            }
            Optional<String> charset = parameter(type, "charset");
            if (charset.isPresent() && !CHARSETS.contains(charset.get().toLowerCase(Locale.ROOT))) {
                return Optional.of(
                        "the content is a form in a character set in which a credential can't be seen; allowed: UTF-8");
            }
            if (isMultipart(type) && parameter(type, "boundary").isEmpty()) {
                return Optional.of("the content is multipart without a boundary");
            }
        }
        return Optional.empty();
    }

    /** Looks at one content. @param keep names (any spelling) that hold no credential here */
    public static ContentWatch watch(Fields fields, Collection<String> keep) {
        for (String type : fields.all("content-type")) {
            if (isMultipart(type)) {
                return new MultipartWatch(parameter(type, "boundary").orElse(""), name -> parameterSlot(name, keep));
            }
        }
        boolean form = fields.all("content-type").stream().anyMatch(ContentSlots::isForm);
        return new FormOrJsonWatch(form, name -> parameterSlot(name, keep), name -> memberSlot(name, keep));
    }

    /** The slot that a form's field of this name fills, as the list writes it; null for none. */
    private static @Nullable String parameterSlot(String name, Collection<String> keep) {
        String slot = CredentialSlots.parameter(name);
        return slot == null || FoldedNames.isIn(keep, name, 0, name.length()) ? null : slot;
    }

    private static @Nullable String memberSlot(String name, Collection<String> keep) {
        String slot = MEMBERS.find(name);
        return slot == null || FoldedNames.isIn(keep, name, 0, name.length()) ? null : slot;
    }

    private static boolean isForm(String type) {
        return bare(type).equals("application/x-www-form-urlencoded");
    }

    private static boolean isMultipart(String type) {
        return bare(type).startsWith("multipart/");
    }

    private static String bare(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** A parameter of a field's value (RFC 9110 section 5.6.6), or of a part's Content-Disposition (RFC 7578 section 4.2). */
    static Optional<String> parameter(String value, String name) {
        int at = value.indexOf(';');
        while (at >= 0 && at < value.length()) {
            int from = at + 1;
            int equals = value.indexOf('=', from);
            if (equals < 0) {
                return Optional.empty();
            }
            boolean wanted = value.substring(from, equals).strip().equalsIgnoreCase(name);
            StringBuilder text = new StringBuilder();
            at = read(value, equals + 1, text);
            if (wanted) {
                return Optional.of(text.toString());
            }
        }
        return Optional.empty();
    }

    /** A token or quoted string into {@code text}. @return where the next semicolon is, or the end */
    private static int read(String value, int from, StringBuilder text) {
        int at = from;
        while (at < value.length() && value.charAt(at) == ' ') {
            at++;
        }
        if (at < value.length() && value.charAt(at) == '"') {
            for (at++; at < value.length() && value.charAt(at) != '"'; at++) {
                if (value.charAt(at) == '\\' && at + 1 < value.length()) {
                    at++;
                }
                text.append(value.charAt(at));
            }
            int next = value.indexOf(';', at);
            return next < 0 ? value.length() : next;
        }
        int next = value.indexOf(';', at);
        int end = next < 0 ? value.length() : next;
        text.append(value.substring(at, end).strip());
        return end;
    }
}
