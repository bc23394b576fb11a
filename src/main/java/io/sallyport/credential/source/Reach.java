package io.sallyport.credential.source;

import io.sallyport.document.CalledUrl;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.http.Fields;
import io.sallyport.http.Parsed;
import io.sallyport.net.Cidr;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How servers are reached that the broker itself asks: what a document says of them beside their URLs.
 *
 * @param trust a PEM file of the only roots that they may prove themselves by; null for the system's
 * @param addresses reserved ranges in which they may live
 */
public record Reach(@Nullable Path trust, List<Cidr> addresses) {

    private static final Form<Cidr> RANGE = Forms.TEXT.then(text -> switch (Cidr.parse(text)) {
        case Parsed.Valid<Cidr>(Cidr range) -> Reading.of(range);
        case Parsed.Malformed<Cidr>(String reason) ->
            Reading.unreadable(Forms.quote(text) + " is not a range: " + reason + "; allowed: as in 10.0.0.0/8");
    });

    /** Plain http only where nobody can stand in between: secrets go there, and come from there. */
    public static final Form<URI> URL = CalledUrl.form("called");

    public Reach {
        addresses = List.copyOf(addresses);
    }

    /** The keys {@code trust} and {@code addresses}. */
    public static Reach read(Keys keys) {
        Optional<Path> trust = keys.optionalFile("trust");
        return new Reach(trust.orElse(null), keys.optionalList("addresses", RANGE));
    }

    /**
     * @param whom for the cause, as in {@code the token endpoint}
     * @param within for all of it
     * @param limit of the answer's content, in bytes
     * @throws SourceFault of kind DOWN when there is no answer; its cause has the type of what went wrong, for its message may quote more
     */
    public GuardedExchange.Answer ask(SourceTools tools, String whom, Question question, Duration within, int limit)
            throws SourceFault {
        try {
            return exchange(tools, question, within, limit);
        } catch (IOException e) {
            throw noAnswer(whom, e);
        }
    }

    /** As {@link #ask}, for those to whom it matters whether anything was sent. */
    GuardedExchange.Answer exchange(SourceTools tools, Question question, Duration within, int limit)
            throws IOException {
        return tools.client()
                .exchange(new GuardedExchange.Request(
                        question.method(),
                        question.uri(),
                        question.fields(),
                        question.content(),
                        trust,
                        addresses,
                        within,
                        limit));
    }

    static SourceFault noAnswer(String whom, IOException why) {
        IOException told = why instanceof GuardedExchange.Unsent unsent ? unsent.why() : why;
        return SourceFault.down(whom + " gave no answer (" + told.getClass().getSimpleName() + ")");
    }

    /** What is asked: holds secrets as a rule, and has no text form. */
    public record Question(String method, URI uri, Fields fields, byte @Nullable [] content) {

        @Override
        public String toString() {
            return method + " " + uri.getScheme() + "://" + uri.getRawAuthority();
        }
    }
}
