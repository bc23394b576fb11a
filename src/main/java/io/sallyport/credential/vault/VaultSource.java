package io.sallyport.credential.vault;

import io.github.jopenlibs.vault.json.JsonObject;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceKind;
import io.sallyport.credential.vault.VaultMount.Engine;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A secret in HashiCorp Vault or OpenBao: one that is kept there (key-value engines, versions 1 and 2), or one that any other engine makes
 * when it is asked, leased, renewed and given back.
 *
 * @param path as a person writes it, without {@code data/}
 * @param namespace below the one of the settings; null for that itself
 * @param engine null to ask the server what is mounted there
 * @param version of a secret in a versioned engine; 0 for the newest
 * @param parameters sent where an engine takes some; empty for a plain reading
 * @param refresh how long what has no lease is believed
 */
public record VaultSource(
        String path,
        @Nullable String namespace,
        @Nullable Engine engine,
        VaultFields fields,
        int version,
        Map<String, String> parameters,
        Duration refresh,
        Sharing sharing)
        implements SecretSource {

    public static final SourceKind KIND = new SourceKind("vault", VaultDocument::read);

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @Override
    public String kind() {
        return "vault";
    }

    @Override
    public Duration deadline() {
        return DEADLINE;
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        VaultSession session = fetch.tools().vault();
        if (fetch.known() instanceof VaultLease lease && !fetch.rejected()) {
            Optional<Fetched> renewed = lease.renewed(session);
            if (renewed.isPresent()) {
                return renewed.get();
            }
        }
        VaultMount mount = mount(session);
        checkAsked(mount);
        VaultSession.Asked asked = session.ask(namespace, api -> read(api, mount));
        VaultAnswer answer = asked.answer();
        if (!answer.ok()) {
            throw refused(session, mount, answer);
        }
        return mount.engine() == Engine.DYNAMIC ? made(session, asked) : kept(mount, answer, fetch.known());
    }

    private VaultMount mount(VaultSession session) throws SourceFault, InterruptedException {
        // The driver wants the mount's depth for a versioned engine alone; a named engine is mounted at one segment.
        return engine == null
                ? session.mount(namespace, path)
                : new VaultMount(path.substring(0, path.indexOf('/') + 1), engine);
    }

    private void checkAsked(VaultMount mount) throws SourceFault {
        if (version != 0 && mount.engine() != Engine.KV_2) {
            throw SourceFault.bad("its document names a version, and the engine at " + path + " has none");
        }
        if (!parameters.isEmpty() && mount.engine() != Engine.DYNAMIC) {
            throw SourceFault.bad("its document has parameters, and the engine at " + path + " takes none");
        }
    }

    private VaultAnswer read(VaultApi api, VaultMount mount) throws SourceFault, InterruptedException {
        if (mount.engine() == Engine.KV_2) {
            return api.readVersioned(path, mount.depth(), version);
        }
        return parameters.isEmpty() ? api.read(path) : api.write(path, new LinkedHashMap<>(parameters));
    }

    private Fetched made(VaultSession session, VaultSession.Asked asked) throws SourceFault {
        VaultAnswer answer = asked.answer();
        JsonObject data = answer.object("data");
        Map<String, byte[]> parts = fields.parts(data, path);
        String id = VaultAnswer.text(answer.body(), "lease_id");
        long seconds = Math.max(VaultAnswer.number(answer.body(), "lease_duration"), VaultAnswer.number(data, "ttl"));
        Duration lives = seconds > 0 ? Duration.ofSeconds(seconds) : refresh;
        Duration usable = VaultLease.shorter(lives, session.left(asked.token()));
        if (id.isEmpty()) {
            return Fetched.given(Material.of(parts), new Object(), usable);
        }
        boolean renewable = VaultAnswer.flag(answer.body(), "renewable");
        VaultLease lease = new VaultLease(namespace, id, asked.token().login(), lives, renewable);
        return new Fetched.Given(Material.of(parts), lease, usable, lease);
    }

    private Fetched kept(VaultMount mount, VaultAnswer answer, @Nullable Object known) throws SourceFault {
        JsonObject data = answer.object("data");
        Map<String, byte[]> parts =
                fields.parts(mount.engine() == Engine.KV_2 ? VaultAnswer.object(data, "data") : data, path);
        VaultDigest digest = VaultDigest.of(parts);
        if (digest.equals(known)) {
            parts.values().forEach(bytes -> Arrays.fill(bytes, (byte) 0));
            return new Fetched.Unchanged(refresh);
        }
        return Fetched.given(Material.of(parts), digest, refresh);
    }

    private SourceFault refused(VaultSession session, VaultMount mount, VaultAnswer answer) {
        if (answer.status() != 404) {
            return VaultFaults.of(answer.status(), path, needed(mount));
        }
        session.forgetMount(namespace, path);
        JsonObject metadata = VaultAnswer.object(answer.object("data"), "metadata");
        String which = version == 0 ? "the newest version of " + path : "version " + version + " of " + path;
        if (VaultAnswer.flag(metadata, "destroyed")) {
            return SourceFault.missing(which + " has been destroyed");
        }
        if (!VaultAnswer.text(metadata, "deletion_time").isEmpty()) {
            return SourceFault.missing(which + " has been deleted");
        }
        String hint = mount.engine() == Engine.KV_2 && path.startsWith(mount.path() + "data/")
                ? "; the document names the path without data/"
                : "";
        return SourceFault.missing(
                "Vault has nothing at " + path + (version == 0 ? "" : ", version " + version) + " (404)" + hint);
    }

    private String needed(VaultMount mount) {
        if (mount.engine() == Engine.KV_2 && path.startsWith(mount.path())) {
            return "read on " + mount.path() + "data/"
                    + path.substring(mount.path().length());
        }
        return (parameters.isEmpty() ? "read on " : "update on ") + path;
    }
}
