package io.sallyport.credential.source;

import com.nimbusds.jwt.JWTClaimsSet;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Installation tokens of a GitHub App: one for each grant, for the repositories and permissions that are named and no others, deleted when
 * the grant ends. A token is never had without naming them, to look something up either: the App's own assertion does that.
 *
 * @param app the App's id or client id
 * @param installation its number, or {@code OWNER/REPOSITORY} by which it is found
 */
record GitHubAppSource(String app, OwnSecret key, GitHubApi api, String installation, GitHubReach scope)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("github-app", GitHubAppSource::read);

    private static final URI PUBLIC = URI.create("https://api.github.com");

    /** GitHub takes ten minutes at most, by its own clock. */
    private static final Duration SIGNED_FOR = Duration.ofMinutes(9);

    private static final Duration BACK_DATED = Duration.ofSeconds(60);

    /** A token's time is over that much earlier here: clocks differ, and requests take time to arrive. */
    private static final Duration SKEW = Duration.ofSeconds(60);

    private static final Duration LONGEST = Duration.ofHours(1);

    /** Ids are numbers in documents as often as texts. */
    private static final Form<String> APP = scalar -> scalar instanceof Integer || scalar instanceof Long
            ? Reading.of(scalar.toString())
            : Forms.TEXT
                    .then(text -> text.matches("[A-Za-z0-9._-]{1,64}")
                            ? Reading.of(text)
                            : Reading.unreadable(Forms.quote(text)
                                    + " is not an App; allowed: its id or client id, as in 12345 or Iv23abc"))
                    .read(scalar);

    private static final Form<String> INSTALLATION = scalar -> scalar instanceof Integer || scalar instanceof Long
            ? Reading.of(scalar.toString())
            : Forms.TEXT
                    .then(
                            text -> text.matches("[0-9]{1,18}|[A-Za-z0-9-]{1,39}/(?!\\.\\.?$)[A-Za-z0-9._-]{1,100}")
                                    ? Reading.of(text)
                                    : Reading.unreadable(
                                            Forms.quote(text)
                                                    + " is not an installation; allowed: its number, or OWNER/REPOSITORY where the App is installed"))
                    .read(scalar);

    private static Optional<GitHubAppSource> read(Keys keys) {
        Optional<String> app = keys.required("app", APP);
        Optional<OwnSecret> key = OwnSecret.read(keys, "private-key");
        URI base = keys.optional("api", Reach.URL).orElse(PUBLIC);
        GitHubApi api = new GitHubApi(base, Reach.read(keys));
        Optional<String> installation = keys.required("installation", INSTALLATION);
        Optional<GitHubReach> scope = GitHubReach.read(keys);
        return app.isEmpty() || key.isEmpty() || installation.isEmpty() || scope.isEmpty()
                ? Optional.empty()
                : Optional.of(new GitHubAppSource(app.get(), key.get(), api, installation.get(), scope.get()));
    }

    @Override
    public String kind() {
        return KIND.name();
    }

    @Override
    public Sharing sharing() {
        return Sharing.PER_GRANT;
    }

    @Override
    public Duration deadline() {
        return Duration.ofSeconds(15);
    }

    @Override
    public List<Path> trusts() {
        Path trust = api.reach().trust();
        return trust == null ? List.of() : List.of(trust);
    }

    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        return scope.narrowed(keys).map(part -> new GitHubAppSource(app, key, api, installation, part));
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        String assertion = assertion(fetch);
        String owner = owner();
        String number = owner.isEmpty() ? installation : found(fetch, assertion);
        if (fetch.grant() == null) {
            // An operator's test: what the installation has is seen without a token, and the token that shows that one
            // can be had reaches nothing but names.
            check(fetch, assertion, number);
            return minted(fetch, assertion, number, scope.least(), owner);
        }
        return minted(fetch, assertion, number, scope, owner);
    }

    private String assertion(Fetch fetch) throws SourceFault, InterruptedException {
        Instant now = fetch.tools().clock().instant();
        try (SecretValue pem = key.value(fetch)) {
            return SigningKey.read(pem.bytes(), key.key())
                    .sign(
                            new JWTClaimsSet.Builder()
                                    .issuer(app)
                                    .issueTime(Date.from(now.minus(BACK_DATED)))
                                    .expirationTime(Date.from(now.plus(SIGNED_FOR)))
                                    .build(),
                            null)
                    .serialize();
        }
    }

    /** Lower case; empty where the installation is named by its number. */
    private String owner() {
        int slash = installation.indexOf('/');
        return slash < 0 ? "" : installation.substring(0, slash).toLowerCase(Locale.ROOT);
    }

    private String found(Fetch fetch, String assertion) throws SourceFault {
        GitHubApi.Answer answer = api.call(fetch, "GET", "/repos/" + installation + "/installation", assertion, null);
        if (answer.status() != 200) {
            throw GitHubApi.fault(answer.status(), "an installation of the App at " + installation);
        }
        standing(answer.content());
        JsonNode id = answer.content().path("id");
        if (!id.isIntegralNumber() || id.longValue() <= 0) {
            throw SourceFault.bad("GitHub's answer names no installation");
        }
        return id.asString();
    }

    private void check(Fetch fetch, String assertion, String number) throws SourceFault {
        GitHubApi.Answer answer = api.call(fetch, "GET", "/app/installations/" + number, assertion, null);
        if (answer.status() != 200) {
            throw GitHubApi.fault(answer.status(), "an installation of the App with that number");
        }
        standing(answer.content());
        String lacking = scope.lacking(answer.content().path("permissions"));
        if (!lacking.isEmpty()) {
            throw SourceFault.denied("the App's installation does not have " + lacking);
        }
    }

    private static void standing(JsonNode installed) throws SourceFault {
        if (installed.path("suspended_at").isString()) {
            throw SourceFault.denied("the App's installation is suspended");
        }
    }

    private Fetched minted(Fetch fetch, String assertion, String number, GitHubReach asked, String owner)
            throws SourceFault {
        GitHubApi.Answer answer =
                api.call(fetch, "POST", "/app/installations/" + number + "/access_tokens", assertion, asked.asked());
        if (answer.status() == 422) {
            throw SourceFault.denied("GitHub does not give a token for " + asked.text()
                    + ": the App's installation does not have all of that (422)");
        }
        if (answer.status() != 201) {
            throw GitHubApi.fault(answer.status(), "an installation of the App with that number");
        }
        JsonNode token = answer.content().path("token");
        if (!token.isString() || token.stringValue().isEmpty()) {
            throw SourceFault.bad("GitHub's answer has no token");
        }
        String value = token.stringValue();
        Revoker deletion = tools -> delete(tools, value);
        if (!asked.holds(answer.content(), owner)) {
            throw refused(fetch, deletion);
        }
        return new Fetched.Given(
                Material.of(value.getBytes(StandardCharsets.UTF_8)),
                UUID.randomUUID(),
                lives(fetch, answer.content()),
                deletion);
    }

    /** More than was asked for is not used, and not left lying about. */
    private static SourceFault refused(Fetch fetch, Revoker deletion) {
        String deleted = "it was deleted";
        try {
            deletion.revoke(fetch.tools());
        } catch (SourceFault | InterruptedException e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            deleted = "it could not be deleted, and ends by itself within an hour";
        }
        return SourceFault.bad(
                "GitHub gave a token that reaches further than was asked for, or does not say how far; " + deleted);
    }

    private static Duration lives(Fetch fetch, JsonNode answer) {
        Duration left = LONGEST;
        try {
            left = Duration.between(
                    fetch.tools().clock().instant(),
                    Instant.parse(answer.path("expires_at").asString("")));
        } catch (DateTimeException unsaid) {
            // Its time is known: an hour.
        }
        Duration used = (left.compareTo(LONGEST) < 0 ? left : LONGEST).minus(SKEW);
        return used.isPositive() ? used : Duration.ofSeconds(1);
    }

    private void delete(SourceTools tools, String token) throws SourceFault {
        int status =
                api.send(tools, "DELETE", "/installation/token", token, null).status();
        if (status == 401 || status == 404) {
            throw SourceFault.missing("GitHub knows the token no more");
        }
        if (status != 204) {
            throw SourceFault.down("GitHub did not delete a token (" + status + ")");
        }
    }
}
