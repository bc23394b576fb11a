package io.sallyport.credential.injection;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Finds one member in a JSON text (RFC 8259), by bytes. What two readers could read differently is not read at all. */
final class JsonPlace {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    sealed interface Found {

        /** It is there. @param start of its value; {@code end} behind it @param text of a string; empty for any other value */
        record Member(int start, int end, String text) implements Found {}

        /** The object that it belongs to is there. @param at behind its brace @param alone whether that object is empty */
        record Gap(int at, boolean alone) implements Found {}

        /** @param reason of a refusal */
        record None(String reason) implements Found {}
    }

    private final JsonParser parser;
    private final JsonPointer pointer;
    private Found found;

    private JsonPlace(JsonParser parser, JsonPointer pointer) {
        this.parser = parser;
        this.pointer = pointer;
        this.found = new Found.None("the content has no object in which " + pointer.text() + " could be a member");
    }

    static Found find(byte[] content, JsonPointer pointer) {
        for (byte b : content) {
            if (b == 0) {
                // UTF-16 and UTF-32 have such bytes, and JSON in UTF-8 has none.
                return new Found.None("the content is not JSON in UTF-8");
            }
        }
        if (content.length > 0 && content[0] == (byte) 0xEF) {
            return new Found.None(
                    "the content begins with a byte order mark, which JSON may not (RFC 8259 section 8.1)");
        }
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), content)) {
            return new JsonPlace(parser, pointer).find();
        } catch (Ambiguous ambiguous) {
            return new Found.None(ambiguous.reason);
        } catch (JacksonException notJson) {
            // Its message may quote the content.
            return new Found.None(
                    "the content is not JSON that can be read in one way: it is malformed, or a name stands twice in an object");
        }
    }

    private Found find() {
        if (parser.nextToken() == null) {
            return new Found.None("the content is empty, and no JSON");
        }
        value(0);
        if (parser.nextToken() != null) {
            return new Found.None("the content has more than one JSON text");
        }
        return found;
    }

    /** Reads one value to its end, also where nothing is looked for in it: duplicates count everywhere. @param depth of names that led here */
    private void value(int depth) {
        if (parser.currentToken() != JsonToken.START_OBJECT || depth < 0) {
            parser.skipChildren();
            return;
        }
        int brace = (int) parser.currentTokenLocation().getByteOffset() + 1;
        boolean last = depth == pointer.names().size() - 1;
        String wanted = pointer.names().get(depth);
        boolean empty = true;
        boolean seen = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            empty = false;
            String name = parser.currentName();
            boolean its = name.equals(wanted);
            if (!its && name.equalsIgnoreCase(wanted)) {
                // Some readers take the one for the other.
                throw new Ambiguous("the content has a member whose name differs from one of " + pointer.text()
                        + " in upper and lower case alone");
            }
            seen |= its;
            parser.nextToken();
            if (its && last) {
                member();
            } else {
                value(its ? depth + 1 : -1);
            }
        }
        if (last && !seen) {
            found = new Found.Gap(brace, empty);
        }
    }

    private void member() {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        String text = "";
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            text = parser.getString();
        } else {
            parser.skipChildren();
            parser.finishToken();
        }
        found = new Found.Member(start, (int) parser.currentLocation().getByteOffset(), text);
    }

    private static final class Ambiguous extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String reason;

        Ambiguous(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }
}
