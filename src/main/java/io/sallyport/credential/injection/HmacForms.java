package io.sallyport.credential.injection;

import io.sallyport.credential.injection.Hmac.HmacKey;
import io.sallyport.credential.injection.Hmac.HmacText;
import io.sallyport.credential.injection.Hmac.HmacText.Encoding;
import io.sallyport.credential.injection.HmacMessage.Element;
import io.sallyport.credential.injection.HmacMessage.Timestamp;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.document.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code hmac} kind in a document. */
final class HmacForms {

    private static final Map<String, Element> ELEMENTS = elements();

    private static final Form<Element> ELEMENT = Forms.oneOf(ELEMENTS, Set.of());

    private static final Form<String> ALGORITHM =
            Forms.oneOf(Map.of("sha256", "HmacSHA256", "sha512", "HmacSHA512"), Set.of());

    private static final Form<String> LITERAL = Forms.TEXT.then(text -> text.matches("[!-~]{1,64}")
            ? Reading.of(text)
            : Reading.unreadable(
                    Forms.quote(text) + " is not a text to sign; allowed: printable ASCII without spaces (1 to 64)"));

    private static final Form<String> SEPARATOR = Forms.TEXT.then(text -> switch (text) {
        case "newline" -> Reading.of("\n");
        case "length" -> Reading.of("");
        default ->
            text.length() == 1 && ".:;,|&".contains(text)
                    ? Reading.of(text)
                    : Reading.unreadable(
                            Forms.quote(text) + " is not a separator; allowed: newline, length, or one of . : ; , | &");
    });

    private HmacForms() {}

    private static Map<String, Element> elements() {
        Map<String, Element> elements = new LinkedHashMap<>();
        elements.put("method", new Element.Method());
        elements.put("target", new Element.Target());
        elements.put("path", new Element.Path());
        elements.put("query", new Element.Query());
        elements.put("host", new Element.Host());
        elements.put("timestamp", new Element.Time());
        elements.put("content", new Element.Content());
        elements.put("content-sha256", new Element.ContentSha256());
        return elements;
    }

    static Optional<Injection> read(Keys keys) {
        Optional<String> field = keys.required("field", InjectionForms.FIELD_NAME);
        Optional<Template> template = keys.has("template")
                ? keys.required("template", Template.FORM)
                : Optional.ofNullable(Template.parsed("{signature}"));
        List<Element> over = over(keys);
        String separator = keys.optional("separator", SEPARATOR).orElse("\n");
        Timestamp timestamp =
                keys.optional("timestamp", Forms.oneOf(Timestamp.class)).orElse(Timestamp.SECONDS);
        @Nullable
        String timestampField =
                keys.optional("timestamp-field", InjectionForms.FIELD_NAME).orElse(null);
        HmacText text = new HmacText(
                keys.optional("algorithm", ALGORITHM).orElse("HmacSHA256"),
                keys.optional("encoding", Forms.oneOf(encodings(), Set.of())).orElse(Encoding.HEX));
        Optional<String> part = InjectionForms.part(keys);
        Encoding ofKey =
                keys.optional("key-encoding", Forms.oneOf(Encoding.class)).orElse(Encoding.TEXT);
        boolean whole = whole(keys, template, over, timestampField);
        @Nullable String ambiguity = HmacMessage.ambiguity(over, separator, timestamp);
        if (ambiguity != null) {
            keys.problem("over", ambiguity);
        }
        if (field.isEmpty() || template.isEmpty() || over.isEmpty() || part.isEmpty() || !whole || ambiguity != null) {
            return Optional.empty();
        }
        return Optional.of(new Hmac(
                field.get(),
                template.get(),
                new HmacMessage(over, separator, timestamp),
                new HmacKey(part.get(), ofKey),
                text,
                timestampField));
    }

    private static Map<String, Encoding> encodings() {
        Map<String, Encoding> encodings = new LinkedHashMap<>();
        encodings.put("hex", Encoding.HEX);
        encodings.put("base64", Encoding.BASE64);
        encodings.put("base64url", Encoding.BASE64URL);
        return encodings;
    }

    private static List<Element> over(Keys keys) {
        List<Element> over = new ArrayList<>();
        for (Value item : keys.items("over")) {
            switch (item) {
                case Value.Scalar scalar -> scalar.as(ELEMENT).ifPresent(over::add);
                case Value.Mapping(var ignored, Keys one) -> {
                    if (one.has("text")) {
                        one.required("text", LITERAL).map(Element.Literal::new).ifPresent(over::add);
                    } else {
                        one.required("field", InjectionForms.FIELD_NAME)
                                .map(Element.Value::new)
                                .ifPresent(over::add);
                    }
                }
                case Value.Listing listing ->
                    listing.problem("is a list; allowed: " + String.join(", ", ELEMENTS.keySet())
                            + ", {text: …} or {field: …}");
            }
        }
        return List.copyOf(over);
    }

    /** A destination can check a signature only with all that was signed, and one without the signature is none. */
    private static boolean whole(
            Keys keys, Optional<Template> template, List<Element> over, @Nullable String timestampField) {
        List<String> parts = template.map(Template::parts).orElse(List.of(Hmac.SIGNATURE));
        boolean signed = over.contains(new Element.Time());
        boolean shown = timestampField != null || parts.contains(Hmac.TIMESTAMP);
        if (!parts.contains(Hmac.SIGNATURE)) {
            keys.problem("template", "has no {signature}; allowed: with it exactly once, as in \"sha256={signature}\"");
        }
        if (signed && !shown) {
            keys.problem(
                    "over",
                    "has timestamp, which the destination is not told; allowed: with timestamp-field, or {timestamp} in the template");
        }
        if (shown && !signed) {
            keys.problem("over", "has no timestamp, though one is sent; allowed: with timestamp among what is signed");
        }
        return parts.contains(Hmac.SIGNATURE) && signed == shown;
    }
}
