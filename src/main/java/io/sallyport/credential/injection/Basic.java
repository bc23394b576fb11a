package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code Authorization: Basic base64(USER:PASSWORD)} (RFC 7617).
 *
 * @param user without a colon; null where both come from the secret's parts {@code username} and {@code password}
 */
record Basic(@Nullable String user) implements Injection {

    private static final int LONGEST_USER = 255;
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");

    static final Form<String> USER = Forms.TEXT.then(user -> {
        boolean fit = user.indexOf(':') < 0
                && user.length() <= LONGEST_USER
                && PRINTABLE.matcher(user).matches();
        return fit
                ? Reading.of(user)
                : Reading.unreadable(Forms.quote(user)
                        + " is not a user name for Basic; allowed: printable ASCII without a colon, at most "
                        + LONGEST_USER);
    });

    static Optional<Injection> read(Keys keys) {
        return keys.has("user") ? keys.required("user", USER).map(Basic::new) : Optional.of(new Basic(null));
    }

    private List<String> parts() {
        return user == null ? List.of("username", "password") : List.of(Material.SECRET);
    }

    @Override
    public Set<String> slots() {
        return Set.of("authorization");
    }

    @Override
    public Optional<String> problem(Material material) {
        Optional<String> problem = SecretFitness.problem(material, parts());
        if (problem.isPresent() || user != null) {
            return problem;
        }
        for (byte b : userName(material)) {
            if (b == ':') {
                return Optional.of("the secret's part username has a colon, which Basic can't carry");
            }
        }
        return Optional.empty();
    }

    private byte[] userName(Material material) {
        return user == null
                ? material.part("username").orElseThrow().bytes()
                : user.getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] password(Material material) {
        return material.part(parts().getLast()).orElseThrow().bytes();
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return Written.field("Authorization", Encodings.basic(userName(material), password(material)));
    }

    @Override
    public List<Shown> shown(Material material) {
        byte[] password = password(material);
        return new ArrayList<>(List.of(new Shown(password.clone(), Encodings.pair(userName(material), password))));
    }

    @Override
    public String toString() {
        return user == null ? "Basic[]" : "Basic[user=" + user + "]";
    }
}
