package io.sallyport.ledger;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One flat JSON object in the form of RFC 8785: members sorted, no white space, the shortest escapes; absent is written as no member.
 * Written by hand, straight into bytes and in the order of the form, because it stands on the path of every request, before its first byte
 * leaves. Reused from entry to entry, for one thread.
 */
final class CanonicalObject {

    private final JsonBytes out = new JsonBytes();
    private String last = "";

    CanonicalObject begin() {
        out.reset().raw('{');
        last = "";
        return this;
    }

    CanonicalObject put(String name, @Nullable String value) {
        if (value != null) {
            member(name).string(value);
        }
        return this;
    }

    CanonicalObject put(String name, long value) {
        member(name).number(value);
        return this;
    }

    CanonicalObject put(String name, boolean value) {
        member(name).literal(value ? "true" : "false");
        return this;
    }

    /** In the order given. */
    CanonicalObject put(String name, Collection<String> values) {
        member(name).raw('[');
        boolean first = true;
        for (String value : values) {
            if (!first) {
                out.raw(',');
            }
            out.string(value);
            first = false;
        }
        out.raw(']');
        return this;
    }

    /** Names are plain ASCII, so Java's order of strings is the RFC's order of UTF-16 code units, and nothing in them is escaped. */
    private JsonBytes member(String name) {
        if (name.compareTo(last) <= 0) {
            throw new IllegalStateException("the member " + name + " does not come after " + last);
        }
        if (!last.isEmpty()) {
            out.raw(',');
        }
        last = name;
        return out.raw('"').literal(name).raw('"').raw(':');
    }

    byte[] bytes() {
        return out.raw('}').toBytes();
    }
}
