package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SecretValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What may stand in a request: printable ASCII on one line, so that it can stand in a field and be recognised in an answer. */
final class SecretFitness {

    static final int SHORTEST = 8;

    /** Names of accounts and keys: they are shown beside a secret, and are none. */
    private static final java.util.Set<String> NO_SECRETS = java.util.Set.of("username", "access-key-id", "client-id");

    private SecretFitness() {}

    /** What is wrong with these parts, as in {@code "the secret is empty"}, and nothing more of them; empty where all are fit. */
    static Optional<String> problem(Material material, Iterable<String> parts) {
        for (String part : parts) {
            Optional<String> problem = problem(material, part);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    static Optional<String> problem(Material material, String part) {
        Optional<SecretValue> value = material.part(part);
        if (value.isEmpty()) {
            return Optional.of(missing(material, part));
        }
        byte[] bytes = value.get().bytes();
        String problem = bytes.length > SecretValue.LONGEST ? "is longer than 16 KiB" : text(bytes);
        // Whatever is shorter turns up by chance in good data, and masking it there would destroy the data.
        if (problem == null && secret(part)) {
            problem = bytes.length < SHORTEST ? "is shorter than " + SHORTEST + " bytes" : CommonSecrets.problem(bytes);
        }
        return problem == null ? Optional.empty() : Optional.of(named(part) + " " + problem);
    }

    /** Of one that need not be text. */
    static Optional<String> sizeProblem(Material material, String part) {
        Optional<SecretValue> value = material.part(part);
        if (value.isEmpty()) {
            return Optional.of(missing(material, part));
        }
        int length = value.get().bytes().length;
        return length == 0 || length > SecretValue.LONGEST
                ? Optional.of(named(part) + (length == 0 ? " is empty" : " is longer than 16 KiB"))
                : Optional.empty();
    }

    /** Whether a part of this name is to be kept from the agent. */
    static boolean secret(String part) {
        return !NO_SECRETS.contains(part);
    }

    static String named(String part) {
        return part.equals(Material.SECRET) ? "the secret" : "the secret's part " + part;
    }

    private static String missing(Material material, String part) {
        return "its source gave no part " + part + ", only " + String.join(", ", material.names());
    }

    private static @Nullable String text(byte[] bytes) {
        int length = bytes.length;
        if (length == 0) {
            return "is empty";
        }
        for (byte b : bytes) {
            // A line end inside would end the field and begin another one of the secret's choosing.
            if (b < ' ' || b > '~') {
                return "has a line end, a control character or one beyond ASCII; printable ASCII on one line is allowed";
            }
        }
        return bytes[0] == ' ' || bytes[length - 1] == ' ' ? "begins or ends with a space" : null;
    }
}
