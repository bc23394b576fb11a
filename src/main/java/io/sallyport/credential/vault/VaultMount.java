package io.sallyport.credential.vault;

import io.github.jopenlibs.vault.json.JsonObject;

/**
 * What is mounted where a path leads.
 *
 * @param path as in {@code kv/}
 */
record VaultMount(String path, Engine engine) {

    /** How its secrets are read. */
    enum Engine {
        /** Key-value, one value. */
        KV_1,
        /** Key-value, versioned: {@code data/} is put into the path. */
        KV_2,
        /** Any other: it makes a secret when it is asked, and leases it as a rule. */
        DYNAMIC
    }

    /** @param data of {@code sys/internal/ui/mounts/PATH} */
    static VaultMount of(JsonObject data) {
        String type = VaultAnswer.text(data, "type");
        boolean keyValue = type.equals("kv") || type.equals("generic");
        boolean versioned = "2".equals(VaultAnswer.text(VaultAnswer.object(data, "options"), "version"));
        return new VaultMount(
                VaultAnswer.text(data, "path"), !keyValue ? Engine.DYNAMIC : versioned ? Engine.KV_2 : Engine.KV_1);
    }

    /** In segments. */
    int depth() {
        return Math.max(1, (int) path.chars().filter(c -> c == '/').count() + (path.endsWith("/") ? 0 : 1));
    }
}
