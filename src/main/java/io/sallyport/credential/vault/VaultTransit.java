package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sallyport.credential.source.SourceFault;
import io.sallyport.store.KeyKeeper;
import io.sallyport.store.StoreFault;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/**
 * Wraps the database's key with one of Vault's transit engine. The purpose goes along as associated data, so that what was encrypted there for
 * anything else does not open as a key, nor the key as anything else.
 */
public final class VaultTransit implements KeyKeeper {

    private static final int BYTES = 32;
    private static final String PURPOSE = Base64.getEncoder().encodeToString("sallyport seal v1".getBytes(US_ASCII));

    private final VaultSession session;
    private final SecureRandom random = new SecureRandom();

    public VaultTransit(VaultSession session) {
        this.session = session;
    }

    @Override
    public String kind() {
        return "vault-transit";
    }

    @Override
    public Made make(String key) {
        byte[] plain = new byte[BYTES];
        random.nextBytes(plain);
        String text =
                asked(key, "encrypt", Map.of("plaintext", Base64.getEncoder().encodeToString(plain)), "ciphertext");
        return new Made(plain, text.getBytes(US_ASCII));
    }

    @Override
    public byte[] open(String key, byte[] wrapped) {
        String text = asked(key, "decrypt", Map.of("ciphertext", new String(wrapped, US_ASCII)), "plaintext");
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new StoreFault(refusal(key, "Vault's answer has no key in base64"));
        }
    }

    private String asked(String key, String verb, Map<String, Object> fields, String answered) {
        int slash = key.lastIndexOf('/');
        if (!key.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+") || key.contains("..")) {
            throw new StoreFault("sallyport.key is vault-transit:MOUNT/KEY, as in vault-transit:transit/sallyport");
        }
        String path = key.substring(0, slash) + "/" + verb + key.substring(slash);
        Map<String, Object> all = new java.util.LinkedHashMap<>(fields);
        all.put("associated_data", PURPOSE);
        try {
            VaultAnswer answer = session.ask(null, api -> api.write(path, all)).answer();
            if (!answer.ok()) {
                throw new StoreFault(refusal(
                        key,
                        VaultFaults.of(answer.status(), path, "update on " + path)
                                .cause()));
            }
            String text = VaultAnswer.text(answer.object("data"), answered);
            if (text.isEmpty()) {
                throw new StoreFault(refusal(key, "Vault's answer has no " + answered));
            }
            return text;
        } catch (SourceFault fault) {
            throw new StoreFault(refusal(key, fault.cause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFault(refusal(key, "the start was interrupted"));
        }
    }

    private static String refusal(String key, String cause) {
        return "The database's key can't be had from vault-transit:" + key + " (sallyport.key): " + cause
                + ". Start again when that is put right";
    }
}
