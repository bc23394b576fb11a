package io.sallyport.net;

import io.sallyport.http.Fields;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** As {@link GuardedClient}, for calls that say more than "give me that": a method, fields, content, and an answer of any status. */
public interface GuardedExchange {

    /**
     * @param uri https; plain http to loopback alone
     * @param fields besides those that frame the message
     * @param content null for none; sent with its length
     * @param trust a PEM file of the only roots to trust; null for the system's
     * @param permitted reserved ranges that the document or setting names
     * @param timeout for all of it, from the name's resolution to the answer's last byte
     * @param limit of the answer's content, in bytes
     */
    record Request(
            String method,
            URI uri,
            Fields fields,
            byte @Nullable [] content,
            @Nullable Path trust,
            List<Cidr> permitted,
            Duration timeout,
            int limit) {

        /** Without fields and content: they hold secrets as a rule. */
        @Override
        public String toString() {
            return method + " " + uri.getScheme() + "://" + uri.getRawAuthority();
        }
    }

    /** Redirects among them: they are not followed. */
    record Answer(int status, Fields fields, byte[] content) {

        @Override
        public String toString() {
            return "Answer[" + status + ", " + content.length + " bytes]";
        }
    }

    /** Nothing of the request has been sent: the other side can't have acted on it. */
    final class Unsent extends IOException {

        private static final long serialVersionUID = 1;

        private final IOException why;

        public Unsent(IOException why) {
            super(why.getMessage(), why);
            this.why = why;
        }

        /** For those to whom it is nothing whether it was sent: what went wrong. */
        public IOException why() {
            return why;
        }
    }

    /** @throws Unsent when it was not reached; @throws IOException when there is no answer, or one that is longer than the limit; its message has nothing of the request's fields and content */
    Answer exchange(Request request) throws IOException;
}
