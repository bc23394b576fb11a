package io.sallyport.credential.source;

import io.sallyport.document.Keys;
import io.sallyport.document.Value;
import io.sallyport.net.AwsPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Who the broker is to AWS: a key pair or a web identity's token, each where the broker's own secrets are, and the roles that it takes on
 * from there, in order. Never what the SDK would find by itself.
 *
 * @param key {@code ID:SECRET} or {@code ID:SECRET:SESSION-TOKEN} in one line, so that a new pair comes whole; null where there is a token
 * @param token read anew each time, for whoever issues it replaces it before it ends; null where there is a key
 */
record AwsAccess(@Nullable OwnSecret key, @Nullable OwnSecret token, List<AwsRole> via) {

    private static final Pattern PAIR =
            Pattern.compile("([A-Z0-9]{16,128}):([A-Za-z0-9/+=]{16,256})(?::([A-Za-z0-9/+=]{16,16384}))?");

    AwsAccess {
        via = List.copyOf(via);
    }

    /**
     * The key {@code access}.
     *
     * @param roleFollows whether the source itself takes on a role, which a web identity can do; without, it needs one to go by
     */
    static Optional<AwsAccess> read(Keys source, boolean roleFollows) {
        Keys keys = source.child("access");
        boolean byToken = keys.has("token");
        if (byToken && keys.has("key")) {
            keys.problem("has both key and token; allowed: one of them");
        }
        Optional<OwnSecret> shown = OwnSecret.read(keys, byToken ? "token" : "key");
        List<AwsRole> via = new ArrayList<>();
        if (keys.has("via")) {
            for (Value item : keys.items("via")) {
                if (item instanceof Value.Mapping(var _, Keys role)) {
                    AwsRole.read(role).ifPresent(via::add);
                } else {
                    item.problem("is " + item.shape() + "; allowed: {role: ARN, external-id: …}");
                }
            }
        }
        if (byToken && via.isEmpty() && !roleFollows) {
            keys.problem("via", "is missing: a token opens a role and nothing else; allowed: via: [{role: ARN}]");
        }
        if (byToken && !via.isEmpty() && via.getFirst().externalId() != null) {
            keys.problem("via", "has an external-id where a token opens the role, which takes none; leave it out");
        }
        return shown.map(it -> new AwsAccess(byToken ? null : it, byToken ? it : null, via));
    }

    /** Who the broker is when it has taken on what stands in {@code via}. */
    AwsSelf self(AwsCaller caller, AwsPlace sts, Fetch fetch) throws SourceFault, InterruptedException {
        AwsSelf self = shown(fetch);
        for (AwsRole role : via) {
            AwsSession.Wish wish = new AwsSession.Wish(
                    AwsSession.name("sallyport-" + fetch.credential()), AwsSession.SHORTEST, null, new TreeMap<>());
            self = new AwsSelf.Key(
                    AwsSession.open(caller, sts, self, role, wish).credentials());
        }
        return self;
    }

    private AwsSelf shown(Fetch fetch) throws SourceFault, InterruptedException {
        if (token != null) {
            return new AwsSelf.WebIdentity(text(token, fetch));
        }
        if (key == null) {
            throw new IllegalStateException("a document has one of key and token");
        }
        Matcher pair = PAIR.matcher(text(key, fetch));
        if (!pair.matches()) {
            throw SourceFault.bad("its key: is not ID:SECRET or ID:SECRET:SESSION-TOKEN in one line");
        }
        return new AwsSelf.Key(
                pair.group(3) == null
                        ? AwsBasicCredentials.create(pair.group(1), pair.group(2))
                        : AwsSessionCredentials.create(pair.group(1), pair.group(2), pair.group(3)));
    }

    private static String text(OwnSecret secret, Fetch fetch) throws SourceFault, InterruptedException {
        try (SecretValue value = secret.value(fetch)) {
            return new String(value.bytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
