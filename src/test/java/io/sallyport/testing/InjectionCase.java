package io.sallyport.testing;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Places;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cases of the ways in which a credential stands in a request, asked of every {@link Door}: the credential {@code up} of
 * {@link Door#POLICY} with another {@code inject}. The hop's documents are read anew where that changes.
 */
public abstract class InjectionCase extends DoorCase {

    private static final String CREDENTIAL = """
            sallyport: v1
            credential: up
            destinations: ["https://api.up.test:${tls}", "http://clear.up.test:${plain}", "https://two.up.test:${h2}"]
            source: {kind: file, name: NAME}
            inject: INJECT
            blast-radius: low
            """;

    private final Map<String, Integer> secrets = new LinkedHashMap<>();

    /** @param inject as the document has it, as in {@code {kind: bearer}} */
    protected void inject(String inject) {
        inject(inject, TestHop.SECRET);
    }

    /** The same with another secret, in a file of its own. */
    protected void inject(String inject, String secret) {
        String file = "up" + secrets.computeIfAbsent(secret, text -> secrets.size());
        hop.secret(file, secret.getBytes(StandardCharsets.US_ASCII));
        hop.document("credentials/up.yml", CREDENTIAL.replace("NAME", file).replace("INJECT", inject));
        if (hop.reload() instanceof RuleBooks.Reload.Kept(var problems)) {
            throw new AssertionError(problems);
        }
        // Each is a change of where the secret stands, which waits for an operator.
        Credential changed = hop.room(RuleBooks.class).current().credentials().get("up");
        hop.room(Writer.class).write(tx -> {
            hop.room(Places.class).confirm(tx, changed, "operator");
            return 0;
        });
    }

    /** What an agent at this door gets. */
    protected Reply ask(Door door, Ask ask) {
        try (Caller agent = door.call(hop, door.token(hop))) {
            return agent.ask(ask);
        }
    }

    /** The one request that the origin has seen since it was asked last. */
    protected TestOrigin.Received seen(Door door) {
        var received = door.origin(hop).received();
        if (received.size() != 1) {
            throw new AssertionError("the origin has seen " + received);
        }
        return received.removeFirst();
    }

    /** The last entry of that kind. */
    protected String entry(String kind) {
        return hop.entries(kind).getLast();
    }
}
