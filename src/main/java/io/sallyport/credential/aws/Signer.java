package io.sallyport.credential.aws;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Signs requests for one service (AWS Signature Version 4 and 4a), in the head or in the query.
 *
 * @param regions one region; with version 4a a list joined by commas, {@code *} for all
 * @param signed which fields are signed, by their names in lower case; those that the signature itself needs always are
 */
public record Signer(Algorithm algorithm, String service, String regions, PathStyle paths, Predicate<String> signed) {

    private static final String DATE = "X-Amz-Date";
    private static final String TOKEN = "X-Amz-Security-Token";
    private static final String REGION_SET = "X-Amz-Region-Set";

    /**
     * What is signed: exactly what will be sent, Host among its fields.
     *
     * @param payload SHA-256 of the content in lower-case hex, or one of the words that stand in its place
     */
    public record Request(String method, Target target, Fields fields, String payload) {}

    /**
     * A signed request, with all that its signature was made of.
     *
     * @param chunks goes on from this signature, where the content is signed in chunks; to be closed in any case
     */
    public record Signed(
            Target target,
            Fields fields,
            String canonicalRequest,
            String stringToSign,
            String signature,
            ChunkChain chunks) {

        @Override
        public String toString() {
            return "Signed[***]";
        }
    }

    private record Signature(String canonicalRequest, String stringToSign, String text, ChunkChain chunks) {}

    /** With the signature in the field Authorization; date, token and region set are fields too. */
    public Signed inHead(AccessKey key, Instant now, Request request) {
        CredentialScope scope = CredentialScope.at(now, regions, service);
        Fields fields = request.fields().with(new Field(DATE, scope.timestamp()));
        if (algorithm == Algorithm.ECDSA) {
            fields = fields.with(new Field(REGION_SET, regions));
        }
        String token = key.sessionToken();
        if (token != null) {
            fields = fields.with(new Field(TOKEN, token, true));
        }
        CanonicalRequest canonical = CanonicalRequest.of(
                request.method(), request.target(), fields, paths, name -> signedInHead(name), request.payload());
        Signature signature = sign(key, scope, canonical);
        String authorization = algorithm.label() + " Credential=" + key.id() + "/" + scope.text(algorithm)
                + ", SignedHeaders=" + canonical.signedNames() + ", Signature=" + signature.text();
        return signed(request.target(), fields.with(new Field("Authorization", authorization, true)), signature);
    }

    /**
     * With the signature in the query: whoever holds the URL may use it.
     *
     * @param lifetime from now, 1 s to 7 days
     */
    public Signed inQuery(AccessKey key, Instant now, Duration lifetime, Request request) {
        CredentialScope scope = CredentialScope.at(now, regions, service);
        Predicate<String> inQuery = name -> name.equals("host") || signed.test(name);
        String names = String.join(
                ";", CanonicalRequest.lines(request.fields(), inQuery).keySet());
        StringBuilder query = new StringBuilder(
                request.target().query() == null ? "" : request.target().query());
        append(query, "X-Amz-Algorithm", algorithm.label());
        append(query, "X-Amz-Credential", key.id() + "/" + scope.text(algorithm));
        append(query, DATE, scope.timestamp());
        append(query, "X-Amz-SignedHeaders", names);
        append(query, "X-Amz-Expires", Long.toString(lifetime.toSeconds()));
        String token = key.sessionToken();
        if (token != null) {
            append(query, TOKEN, token);
        }
        if (algorithm == Algorithm.ECDSA) {
            append(query, REGION_SET, regions);
        }
        Target unsigned = withQuery(request.target(), query);
        CanonicalRequest canonical =
                CanonicalRequest.of(request.method(), unsigned, request.fields(), paths, inQuery, request.payload());
        Signature signature = sign(key, scope, canonical);
        append(query, "X-Amz-Signature", signature.text());
        return signed(withQuery(request.target(), query), request.fields(), signature);
    }

    private boolean signedInHead(String name) {
        return switch (name) {
            case "host", "x-amz-date", "x-amz-security-token", "x-amz-region-set" -> true;
            default -> signed.test(name);
        };
    }

    private Signature sign(AccessKey key, CredentialScope scope, CanonicalRequest canonical) {
        String text = canonical.text();
        String stringToSign =
                String.join("\n", algorithm.label(), scope.timestamp(), scope.text(algorithm), Sha256.hex(text));
        SigningKey derived = SigningKey.derive(algorithm, key, scope);
        String signature = derived.sign(stringToSign);
        return new Signature(text, stringToSign, signature, new ChunkChain(derived, scope, signature));
    }

    private static Signed signed(Target target, Fields fields, Signature signature) {
        return new Signed(
                target,
                fields,
                signature.canonicalRequest(),
                signature.stringToSign(),
                signature.text(),
                signature.chunks());
    }

    private static void append(StringBuilder query, String name, String value) {
        query.append(query.isEmpty() ? "" : "&").append(name).append('=').append(UriEncoding.encode(value));
    }

    private static Target withQuery(Target target, CharSequence query) {
        return new Target(target.path(), query.toString(), target.strictProblem());
    }
}
