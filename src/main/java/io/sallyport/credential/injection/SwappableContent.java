package io.sallyport.credential.injection;

import io.sallyport.http.RequestHead;
import java.util.List;

/** An injection into the content, in whose place a client may show a placeholder. */
interface SwappableContent extends Injection {

    /** What the place is, in a content that could be read. */
    sealed interface Found {

        /**
         * @param values that stand there, without their encoding; mostly one or none
         * @param rest the content without the place: nowhere in it may the placeholder stand
         */
        record Place(List<String> values, byte[] rest) implements Found {}

        /** @param reason of a refusal */
        record Unreadable(String reason) implements Found {}
    }

    /** Whether the head says that the content is of the type that has such places. */
    boolean typed(RequestHead asked);

    Found find(byte[] content);

    /** As a sentence about it begins, as in {@code the form's field token}. */
    String place();
}
