package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Reading;
import io.sallyport.grant.Grant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is known of a grant, put into session policies and tags where a document says so. {@code ${…}} is IAM's, and stays. */
final class AwsTemplate {

    private static final Pattern PLACE = Pattern.compile("(?<!\\$)\\{([a-z]+)\\}");

    /** Letters, digits and _ - . alone: in a policy, nobody can put a wildcard or a quote in by choosing a name. */
    private static final Set<String> SAFE = Set.of("task", "grant", "policy");

    private static final Set<String> ALL = Set.of("task", "grant", "policy", "workload", "person");

    static final Form<String> IN_POLICY = Forms.TEXT.then(text -> checked(text, SAFE, "{task}, {grant} and {policy}"));

    static final Form<String> IN_TAG = Forms.TEXT.then(text -> text.matches("[\\p{L}\\p{Z}\\p{N}_.:/=+@{}-]{1,256}")
            ? checked(text, ALL, "{task}, {grant}, {policy}, {workload} and {person}")
            : Reading.unreadable(Forms.quote(text)
                    + " is not a tag's value; allowed: up to 256 letters, digits, spaces and _ . : / = + - @"));

    private AwsTemplate() {}

    private static Reading<String> checked(String text, Set<String> names, String allowed) {
        Matcher places = PLACE.matcher(text);
        while (places.find()) {
            if (!names.contains(places.group(1))) {
                return Reading.unreadable(Forms.quote(text) + " has {" + places.group(1) + "}; allowed: " + allowed);
            }
        }
        return Reading.of(text);
    }

    /** A policy's text for a grant. */
    static String policy(String text, Grant grant) {
        return text.replace("{task}", grant.task())
                .replace("{grant}", grant.id())
                .replace("{policy}", grant.policy());
    }

    /**
     * A tag's value for a grant.
     *
     * @throws SourceFault where the grant has no person and the tag asks for one: a rule that compares an empty tag may well match
     */
    static String tag(String key, String text, Grant grant) throws SourceFault {
        Map<String, String> known = new LinkedHashMap<>();
        known.put("{task}", grant.task());
        known.put("{grant}", grant.id());
        known.put("{policy}", grant.policy());
        known.put("{workload}", String.valueOf(grant.workload()));
        if (grant.person() != null) {
            known.put("{person}", String.valueOf(grant.person()));
        } else if (text.contains("{person}")) {
            throw SourceFault.bad("its tag " + Forms.quote(key) + " is a person's, and the grant has none");
        }
        // One pass: what is put in is not looked through for places again.
        String value = PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(known.getOrDefault(place.group(), place.group())));
        if (!value.matches("[\\p{L}\\p{Z}\\p{N}_.:/=+@-]{0,256}")) {
            throw SourceFault.bad("its tag " + Forms.quote(key)
                    + " has a character that AWS does not allow in tags, or is" + " longer than 256, for this grant");
        }
        return value;
    }
}
