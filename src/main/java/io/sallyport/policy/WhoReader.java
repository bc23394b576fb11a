package io.sallyport.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.document.Value;
import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code who}: entries are alternatives, keys inside one must all match. */
final class WhoReader {

    private static final Form<Match> WHOLE = Forms.TEXT.then(text -> {
        try {
            return Reading.of(new Match.Whole(Pattern.compile(text)));
        } catch (PatternSyntaxException wrong) {
            return Reading.unreadable(Forms.quote(text) + " is not a pattern (RE2 syntax): " + wrong.getDescription());
        }
    });

    private WhoReader() {}

    static List<Who> read(Keys policy) {
        List<Who> entries = new ArrayList<>();
        for (Value item : policy.items("who")) {
            if (item instanceof Mapping(var ignored, Keys keys)) {
                Optional<Who.Named> workload = named(keys);
                Optional<Keys> person = keys.optionalChild("for");
                Optional<Who.Named> named = person.flatMap(WhoReader::named);
                workload.ifPresent(it -> entries.add(new Who(it, named)));
            } else {
                item.problem(
                        "is " + item.shape() + "; allowed: {identity: …, subject: …, for: {identity: …, subject: …}}");
            }
        }
        return entries;
    }

    private static Optional<Who.Named> named(Keys keys) {
        Optional<Match> identity = match(keys, "identity");
        Optional<Match> subject = match(keys, "subject");
        return identity.flatMap(it -> subject.map(also -> new Who.Named(it, also)));
    }

    private static Optional<Match> match(Keys keys, String key) {
        return keys.requiredValue(key).flatMap(value -> switch (value) {
            case Scalar scalar -> scalar.as(Forms.TEXT).map(Match.Exactly::new);
            case Mapping(var ignored, Keys pattern) -> pattern.required("pattern", WHOLE);
            case Listing listing -> {
                listing.problem("is a list; allowed: text, or {pattern: …}; write one entry for each");
                yield Optional.empty();
            }
        });
    }
}
