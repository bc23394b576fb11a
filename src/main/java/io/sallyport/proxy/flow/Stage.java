package io.sallyport.proxy.flow;

import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Window;

/** Where a request stands. Each stage holds exactly what is known by then. */
sealed interface Stage {

    /** At the gate. */
    record Judging() implements Stage {}

    /** Admitted; the first window of content is being collected. */
    record Gathering(Admission admission) implements Stage {}

    /** All of the content is here, and the gate puts into it what belongs there. */
    record Completing(Admission admission, Window whole) implements Stage {}

    /** The use is being charged and recorded. */
    record Recording(Admission admission, Window first) implements Stage {}

    /** Recorded; a connection is being made. @param retried true when an old connection failed us before */
    record Connecting(Use use, boolean retried) implements Stage {}

    /** The destination has the head. @param again when the request may be made a second time, should this time fail */
    record Relaying(Use use, Content content, Answer answer, Again again) implements Stage {

        Relaying with(Content other) {
            return new Relaying(use, other, answer, again);
        }

        Relaying with(Answer other) {
            return new Relaying(use, content, other, again);
        }
    }

    /**
     * The connection carries a WebSocket.
     *
     * @param content of the agent's frames, in windows
     * @param closed true when the destination has said Close
     */
    record Switched(Use use, Content content, boolean closed) implements Stage {

        Switched with(Content other) {
            return new Switched(use, other, closed);
        }

        Switched withClosed(boolean other) {
            return new Switched(use, content, other);
        }
    }

    /** Given up while its record was on the way to the disk: the record is to stay true. */
    record Abandoned(Admission admission, String kind, String why) implements Stage {}

    record Over() implements Stage {}

    /** When a request may be made a second time, from the narrowest on. */
    enum Again {
        NEVER,
        /** The destination says that it did nothing. */
        UNTOUCHED,
        /** It said nothing at all. */
        SILENT;

        boolean allows(Touched touched) {
            return switch (touched) {
                case ANSWERED -> false;
                case PERHAPS -> this == SILENT;
                case NOT -> this != NEVER;
            };
        }
    }

    /** A recorded use. */
    record Use(Admission admission, Recorded.Durable recorded, Window first) {}

    /** How far the request's content is. */
    sealed interface Content {
        record Collecting() implements Content {}

        record AtTheLedger(Window window) implements Content {}

        record Leaving(Window window) implements Content {}

        record Sent() implements Content {}
    }

    /** How far the answer is. */
    sealed interface Answer {
        record Awaited() implements Answer {}

        /** @param last true when the agent was told that its connection ends with it */
        record Begun(int status, boolean last) implements Answer {}
    }
}
