package io.sallyport.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder of documents for tests: one identity, one credential, one policy, all right. */
final class TestFolder {

    static final String IDENTITY = """
            sallyport: v1
            identity: ci
            kind: oidc
            issuer: https://issuer.up.test
            audience: https://broker.up.test
            isolation: container
            """;
    static final String CREDENTIAL = """
            sallyport: v1
            credential: up
            destinations: [https://api.up.test]
            source: {kind: file, name: up}
            inject: {kind: bearer}
            blast-radius: low
            """;
    static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Is tried out
            review-by: 2030-01-01
            who:
              - {identity: ci, subject: agent-1}
            scopes:
              read:
                reason: Reads
                destination: https://api.up.test
                allow: ["GET /a/**"]
                credential: up
            """;

    private final Path root;

    TestFolder(Path root) {
        this.root = root;
        write("identities/ci.yml", IDENTITY);
        write("credentials/up.yml", CREDENTIAL);
        write("policies/fixer.yml", POLICY);
    }

    Path root() {
        return root;
    }

    Path write(String place, String text) {
        try {
            Path file = root.resolve(place);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The policy with one piece of its text replaced. */
    TestFolder policy(String from, String to) {
        if (!POLICY.contains(from)) {
            throw new IllegalArgumentException("not in the policy: " + from);
        }
        write("policies/fixer.yml", POLICY.replace(from, to));
        return this;
    }

    List<String> problems() {
        return switch (RuleFolder.check(root)) {
            case RuleFolder.Checked.Right ignored -> List.of();
            case RuleFolder.Checked.Wrong(List<String> problems) -> problems;
        };
    }

    RuleBook book() {
        return right().book();
    }

    List<String> warnings() {
        return right().warnings();
    }

    private RuleFolder.Checked.Right right() {
        return switch (RuleFolder.check(root)) {
            case RuleFolder.Checked.Right right -> right;
            case RuleFolder.Checked.Wrong(List<String> problems) ->
                throw new IllegalStateException(problems.toString());
        };
    }
}
