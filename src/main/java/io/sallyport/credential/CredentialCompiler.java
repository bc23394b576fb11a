package io.sallyport.credential;

import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.injection.InjectionForms;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceKinds;
import io.sallyport.document.Compiled;
import io.sallyport.document.Destinations;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Value;
import io.sallyport.http.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A credential document becomes a {@link Credential}, or the list of what is wrong with it. Reads no secret. */
public final class CredentialCompiler {

    private final String name;
    private final Keys keys;

    private CredentialCompiler(String name, Keys keys) {
        this.name = name;
        this.keys = keys;
    }

    /** @param name the document's name */
    public static Compiled<Credential> compile(String name, Keys keys) {
        return new CredentialCompiler(name, keys).compile();
    }

    private Compiled<Credential> compile() {
        keys.known("sallyport", "credential");
        List<Destination> destinations = destinations();
        Optional<String> wide = keys.optionalText("wide");
        if (wide.isEmpty() && destinations.stream().anyMatch(Destination::wildcard)) {
            keys.problem(
                    "wide", "is missing: a secret that may go to any name below a wildcard needs wide: \"reason\"");
        }
        Optional<BlastRadius> radius = keys.required("blast-radius", Forms.oneOf(BlastRadius.class));
        Optional<SecretSource> source = SourceKinds.read(keys.child("source"));
        Optional<Injection> injection = InjectionForms.read(keys.child("inject"), name);
        if (injection.map(Injection::needsTls).orElse(false)
                && destinations.stream().anyMatch(it -> !it.origin().secure())) {
            keys.problem("destinations", "has plain http, where nothing asks for a certificate; allowed: https alone");
        }
        Optional<AccountCheck> account = AccountCheck.read(keys, destinations, injection);
        return keys.compiled(() -> new CompiledCredential(
                name, destinations, radius.orElseThrow(), source.orElseThrow(), injection.orElseThrow(), account));
    }

    private List<Destination> destinations() {
        List<Destination> all = new ArrayList<>();
        for (Value item : keys.items("destinations")) {
            Destinations.read(item).ifPresent(all::add);
        }
        return all;
    }
}
