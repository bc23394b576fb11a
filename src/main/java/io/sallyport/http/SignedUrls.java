package io.sallyport.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Queries that are signed: whoever holds such a URL acts as its signer. A credential beside the signature is a second proof, which storage
 * refuses; and one without it would answer for somebody who never asked.
 */
public final class SignedUrls {

    private static final List<String> SIGNATURES =
            List.of("sig", "signature", "x-amz-signature", "x-goog-signature", "x-oss-signature");

    private static final FoldedNames KNOWN = FoldedNames.of(SIGNATURES);

    private SignedUrls() {}

    /** Names of parameters that sign a URL, sorted, lower case. */
    public static List<String> signatures() {
        return SIGNATURES;
    }

    /** The signature in a query, as the list writes it, in any spelling; empty for none. @param except names that are no signature here */
    public static Optional<String> signatureIn(Target target, Collection<String> except) {
        String query = target.query();
        if (query == null) {
            return Optional.empty();
        }
        QueryNames parameters = new QueryNames(query);
        while (parameters.advance()) {
            String name = parameters.plainName();
            String known = KNOWN.find(name);
            if (known != null && !FoldedNames.isIn(except, name, 0, name.length())) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }
}
