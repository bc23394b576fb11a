package io.sallyport.credential.injection;

import io.sallyport.credential.Injected;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the injections into a content have in common: which content they take, and how it is said that it has changed. */
final class WholeContent {

    /** They describe content that the agent sent: with another content they would be untrue. */
    private static final List<String> DIGESTS = List.of("Content-MD5", "Content-Digest", "Repr-Digest", "Digest");

    private WholeContent() {}

    /** Whether the head says that the content is of this type, in no coding. @param suffix as in {@code +json}; empty for none */
    static boolean typed(RequestHead head, String type, String suffix) {
        List<String> types = head.fields().all("Content-Type");
        if (types.size() != 1) {
            return false;
        }
        String said = types.getFirst();
        int end = said.indexOf(';');
        String essence = (end < 0 ? said : said.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        boolean its = essence.equals(type) || (!suffix.isEmpty() && essence.endsWith(suffix));
        return its
                && head.fields().all("Content-Encoding").stream()
                        .allMatch(coding -> coding.strip().equalsIgnoreCase("identity"));
    }

    static Injected wrongType(String type) {
        return new Injected.Refused(
                Misfit.CONTENT_TYPE,
                "the credential goes into the content, and that is not said to be " + type
                        + " without a content coding");
    }

    static Injected unfit(String reason) {
        return new Injected.Refused(Misfit.CONTENT, reason);
    }

    static Injected done(RequestHead head, byte[] content) {
        for (String digest : DIGESTS) {
            if (head.fields().has(digest)) {
                return new Injected.Refused(
                        Misfit.HEAD,
                        "the field " + digest
                                + " is of the content without the credential, which is put into it; leave the field off");
            }
        }
        return new Injected.Done(head, Optional.of(ByteBuffer.wrap(content)));
    }
}
