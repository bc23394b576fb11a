package io.sallyport.policy;

import io.sallyport.document.Compiled;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.http.AllowPattern;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes policies from documents. */
public final class Policies {

    private Policies() {}

    /**
     * @param name the document's, which its reader has checked
     * @param keys of the whole document
     * @param digest SHA-256 (hex) of its bytes
     */
    public static Compiled<Policy> compile(String name, Keys keys, String digest) {
        Optional<String> owner = keys.text("owner");
        Optional<String> reason = keys.text("reason");
        Optional<LocalDate> reviewBy = keys.required("review-by", Forms.DATE);
        List<Who> who = WhoReader.read(keys);
        TaskLimits task = TaskReader.read(keys);
        List<Scope> scopes = scopes(keys);
        List<AllowPattern> never = keys.optionalList("never", ScopeReader.NEVER);
        Ties.sayIn(scopes, keys);
        Overlaps.sayIn(scopes, keys);
        return keys.compiled(() -> new CompiledPolicy(
                new CompiledPolicy.Head(
                        name, owner.orElseThrow(), reason.orElseThrow(), reviewBy.orElseThrow(), keys.labels(), digest),
                task,
                who,
                new CompiledPolicy.Rules(scopes, never)));
    }

    private static List<Scope> scopes(Keys policy) {
        Map<String, Keys> named = policy.children("scopes");
        List<Scope> scopes = new ArrayList<>();
        named.forEach((name, keys) -> {
            if (Forms.NAMED.read(name) instanceof io.sallyport.document.Reading.Unreadable<String>(String what)) {
                keys.problem(what);
            }
            ScopeReader.read(name, keys).ifPresent(scopes::add);
        });
        return scopes;
    }
}
