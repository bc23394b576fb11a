package io.sallyport.credential.injection;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a value stands in a JSON text (RFC 6901), below objects alone.
 *
 * @param names of members, from the outermost, at least one, unescaped
 */
record JsonPointer(String text, List<String> names) {

    private static final Pattern POINTER = Pattern.compile("(/([ -.0-}]|~[01])+){1,16}");

    static final Form<JsonPointer> FORM = Forms.TEXT.then(
            text -> POINTER.matcher(text).matches()
                    ? Reading.of(of(text))
                    : Reading.unreadable(
                            Forms.quote(text)
                                    + " is not a place in JSON; allowed: names of members after slashes (RFC 6901), in printable ASCII, as in \"/auth/token\""));

    static JsonPointer of(String text) {
        List<String> names = new ArrayList<>();
        for (String name : text.substring(1).split("/", -1)) {
            names.add(name.replace("~1", "/").replace("~0", "~"));
        }
        return new JsonPointer(text, List.copyOf(names));
    }

    String last() {
        return names.getLast();
    }
}
