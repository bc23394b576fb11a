package io.sallyport.grant;

import io.sallyport.http.IpRange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a child may be: the same task, never wider, never longer. Checked once more where grants are opened, whoever computed the child. */
final class Narrowing {

    private Narrowing() {}

    /** @return what is wider in the child; null when nothing is */
    static @Nullable String violatedBy(Grant child, Grant parent) {
        if (!child.task().equals(parent.task())
                || !child.policy().equals(parent.policy())
                || !Objects.equals(child.person(), parent.person())) {
            return "another task, policy or person";
        }
        if (child.depth() != parent.depth() + 1) {
            return "another depth (" + child.depth() + " below " + parent.depth() + ")";
        }
        if (!parent.scopes().containsAll(child.scopes())) {
            return "more scopes";
        }
        if (!parent.resources().isEmpty()
                && (child.resources().isEmpty() || !parent.resources().containsAll(child.resources()))) {
            return "more resources";
        }
        if (child.expiresAt().isAfter(parent.expiresAt())) {
            return "a longer life";
        }
        if (child.binding() != parent.binding()) {
            return "another binding";
        }
        if (child.uses() > parent.uses() || child.bytesOut() > parent.bytesOut()) {
            return "a larger budget";
        }
        return widerAddress(child.address(), parent.address()) ? "a wider address" : null;
    }

    private static boolean widerAddress(@Nullable String child, @Nullable String parent) {
        if (parent == null) {
            return false;
        }
        if (child == null) {
            return true;
        }
        IpRange outer = IpRange.parse(parent).orElseThrow();
        IpRange inner = IpRange.parse(child).orElseThrow();
        return inner.prefixLength() < outer.prefixLength()
                || !outer.contains(inner.network().bytes());
    }
}
