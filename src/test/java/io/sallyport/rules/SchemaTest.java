package io.sallyport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sallyport.testing.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped schemas and the compilers agree on these documents: an editor says what the broker will say. */
class SchemaTest {

    @TempDir
    private Path temp;

    /** A piece of the right document, and what takes its place. */
    private record Change(String from, String to) {}

    private static Change change(String from, String to) {
        return new Change(from, to);
    }

    @Test
    void the_right_documents_are_right_by_schema() throws Exception {
        assertThat(bySchema(Kind.IDENTITY, TestFolder.IDENTITY)).isTrue();
        assertThat(bySchema(Kind.CREDENTIAL, TestFolder.CREDENTIAL)).isTrue();
        assertThat(bySchema(Kind.POLICY, TestFolder.POLICY)).isTrue();
    }

    @Test
    void good_policies_are_good_to_both() throws Exception {
        new TestFolder(temp.resolve("rules"))
                .write("policies/corp.pem", TestCertificates.authority().rootPem());
        for (Change good : List.of(
                change("reason: Is tried out", "reason: Is tried out\nlabels: {team: web}\nx-note: [1]"),
                change(
                        "scopes:",
                        "task: {ttl: 1h, uses: 5, bytes-out: 1KiB, depth: 0, at-once: 1, day: {uses: 9}, binding: address}\nscopes:"),
                change("scopes:", "never: [\"* /**/settings/**\", \"DELETE,PUT /**\"]\nscopes:"),
                change("subject: agent-1", "subject: {pattern: \"agent-.*\"}, for: {identity: ci, subject: kim}"),
                change("credential: up", "credential: none"),
                change("credential: up", "credential: [up]"),
                change(
                        "allow: [\"GET /a/**\"]\n    credential: up",
                        "intercept: false\n    wide: pins\n    limits: {body: 1MiB}\n    credential: none"),
                change("credential: up", "intercept: true\n    credential: up"),
                change("credential: up", "credential: {own: [authorization], reason: r}"),
                change(
                        "credential: up",
                        "credential: up\n    limits: {rate: 10/min, body: 64KiB}\n    paths: opaque\n    keep: [cookie]\n    query: {a: [b]}"),
                change(
                        "destination: https://api.up.test",
                        "destination: {url: https://api.up.test, addresses: [10.0.0.0/8]}"),
                change("destination: https://api.up.test", "destination: {url: https://api.up.test, trust: corp.pem}"),
                change(
                        "destination: https://api.up.test",
                        "destination: {url: https://api.up.test, trust: corp.pem, addresses: [10.0.0.0/8]}"))) {
            assertAgreement(Kind.POLICY, "policies/fixer.yml", TestFolder.POLICY, good, true);
        }
    }

    @Test
    void bad_policies_are_bad_to_both() throws Exception {
        for (Change bad : List.of(
                change("destination: https://api.up.test", "destination: {url: https://api.up.test}"),
                change("destination: https://api.up.test", "destination: {trust: corp.pem}"),
                change("credential: up", "intercept: false\n    wide: pins\n    credential: none"),
                change(
                        "allow: [\"GET /a/**\"]\n    credential: up",
                        "intercept: false\n    wide: pins\n    credential: up"),
                change("allow: [\"GET /a/**\"]\n    credential: up", "intercept: false\n    credential: none"),
                change(
                        "allow: [\"GET /a/**\"]\n    credential: up",
                        "intercept: false\n    wide: pins\n    paths: opaque\n    credential: none"),
                change("    allow: [\"GET /a/**\"]\n", ""),
                change("credential: up", "intercept: \"no\"\n    credential: up"),
                change("destination: https://api.up.test", "destination: {url: https://api.up.test, trust: [a]}"),
                change("sallyport: v1", "sallyport: v2"),
                change("owner: team@example.com\n", ""),
                change("owner: team@example.com", "owner: 7"),
                change("reason: Is tried out", "reason: \" \""),
                change("review-by: 2030-01-01", "review-by: soon"),
                change("review-by", "reviewby"),
                change("scopes:", "approve: {}\nscopes:"),
                change("scopes:", "task: {ttl: 15m}\nscopes:"),
                change("scopes:", "task: {ttl: 0s}\nscopes:"),
                change("scopes:", "task: {binding: none}\nscopes:"),
                change("scopes:", "task: {uses: 0}\nscopes:"),
                change("scopes:", "never: []\nscopes:"),
                change("who:\n  - {identity: ci, subject: agent-1}", "who: []"),
                change("who:\n  - {identity: ci, subject: agent-1}", "who: [{identity: ci}]"),
                change("    reason: Reads\n", ""),
                change("    credential: up\n", ""),
                change("credential: up", "credential: [up, up]"),
                change("credential: up", "credential: {own: [authorization]}"),
                change("credential: up", "credential: {own: [Proxy-Authorization], reason: r}"),
                change("credential: up", "credential: up\n    limits: {rate: 10/d}"),
                change("credential: up", "credential: up\n    paths: loose"),
                change("credential: up", "credential: up\n    query: {}"),
                change("credential: up", "credential: up\n    upgrade: [h2c]"),
                change("credential: up", "credential: up\n    upgrade: websocket"),
                change("https://api.up.test", "https://api.up.test/v1"),
                change("destination: https://api.up.test", "destination: {url: https://api.up.test}"),
                change("destination: https://api.up.test", "destination: {url: https://api.up.test, addresses: []}"),
                change("GET /a/**", "GET /a/**/b"),
                change("GET /a/**", "TRACE /a"),
                change("GET /a/**", "get /a"),
                change("GET /a/**", "GET a"),
                change("GET /a/**", "GET /{id}"),
                change("  read:", "  \"re ad\":"))) {
            assertAgreement(Kind.POLICY, "policies/fixer.yml", TestFolder.POLICY, bad, false);
        }
    }

    @Test
    void identities_are_good_and_bad_to_both() throws Exception {
        for (Change good : List.of(
                change("isolation: container", "isolation: air-gapped\nskew: 30s\nalgorithms: [RS256, ES256]"),
                change("audience: https://broker.up.test", "audience: [a, b]"))) {
            assertAgreement(Kind.IDENTITY, "identities/ci.yml", TestFolder.IDENTITY, good, true);
        }
        for (Change bad : List.of(
                change("kind: oidc", "kind: kubernetes"),
                change("kind: oidc", "kind: static"),
                change("issuer: https://issuer.up.test\n", ""),
                change("isolation: container", "isolation: docker"),
                change("isolation: container", "isolation: container\nalgorithms: [HS256]"),
                change("isolation: container", "isolation: container\nalgorithms: [none]"),
                change("isolation: container", "isolation: container\nskew: 30"))) {
            assertAgreement(Kind.IDENTITY, "identities/ci.yml", TestFolder.IDENTITY, bad, false);
        }
    }

    @Test
    void credentials_are_good_and_bad_to_both() throws Exception {
        for (Change good : List.of(
                change("[https://api.up.test]", "[{url: https://api.up.test, addresses: [10.0.0.0/8]}]"),
                change("{kind: file, name: up}", "{kind: local}"),
                change("{kind: file, name: up}", "{kind: env, name: SALLYPORT_SECRET_UP}"),
                change("{kind: bearer}", "{kind: basic, user: bot}"),
                change("{kind: bearer}", "{kind: client-certificate}"),
                change(
                        "{kind: bearer}",
                        "{kind: sigv4, service: s3, region: eu-central-1, bucket-owner: \"123456789012\", presigned: 1h, placeholder: {access-key-id: AKIAPLACEHOLDER, secret-access-key: x}}"),
                change("{kind: bearer}", "{kind: sigv4a, service: events, region-set: [eu-central-1, \"*\"]}"),
                change("{kind: bearer}", "{kind: header, name: x-token, template: \"token {secret}\"}"),
                change(
                        "blast-radius: low",
                        "blast-radius: low\naccount: {url: \"https://api.up.test/user\", member: /login, is: [bot, ci], trust: up.pem, addresses: [10.0.0.0/8]}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-secret: {kind: env, name: SALLYPORT_SECRET_A}}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-auth: client-secret-post, client-secret: {kind: env, name: SALLYPORT_SECRET_A}, scopes: [a, b], resources: [\"https://r.test\"], audience: a, expires-in: 1min, revocation: https://i.test/r, sharing: per-grant, addresses: [10.0.0.0/8]}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-auth: private-key-jwt, private-key: {kind: env, name: SALLYPORT_SECRET_A}, key-id: k, assertion-audience: a}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-refresh-token, token-endpoint: https://i.test/t, client-id: c, client-auth: none, rotates: false, reuse-grace: 0s}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-jwt-bearer, token-endpoint: https://i.test/t, service-account: {kind: env, name: SALLYPORT_SECRET_A}, subject: s, scopes: [a]}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-jwt-bearer, token-endpoint: https://i.test/t, private-key: {kind: env, name: SALLYPORT_SECRET_A}, issuer: i}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: github-app, app: 1, private-key: {kind: env, name: SALLYPORT_SECRET_A}, installation: acme/site, api: https://ghe.test/api/v3, repositories: [site], permissions: {contents: read}}"))) {
            assertAgreement(Kind.CREDENTIAL, "credentials/up.yml", TestFolder.CREDENTIAL, good, true);
        }
        for (Change bad : List.of(
                change("[https://api.up.test]", "[{url: https://api.up.test}]"),
                change("[https://api.up.test]", "[{url: https://api.up.test, addresses: []}]"),
                change("{kind: file, name: up}", "{kind: vault, path: x}"),
                change("{kind: file, name: up}", "{kind: file}"),
                change("{kind: file, name: up}", "{kind: env, name: PATH}"),
                change("{kind: bearer}", "{kind: body, name: key}"),
                change("{kind: bearer}", "{kind: client-certificate, user: bot}"),
                change("{kind: bearer}", "{kind: sigv4, service: s3}"),
                change("{kind: bearer}", "{kind: sigv4, service: s3, region: eu-central-1, presigned: 1h}"),
                change("{kind: bearer}", "{kind: sigv4a, service: s3, region-set: []}"),
                change("{kind: bearer}", "{kind: header, name: x-token, template: token}"),
                change("[https://api.up.test]", "[]"),
                change("blast-radius: low", "blast-radius: tiny"),
                change("blast-radius: low\n", ""),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-auth: none}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-secret: in-clear}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-secret: {kind: env, name: SALLYPORT_SECRET_A}, key-id: k}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-client-credentials, token-endpoint: https://i.test/t, client-id: c, client-secret: {kind: env, name: SALLYPORT_SECRET_A}, scopes: [\"a b\"]}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-refresh-token, token-endpoint: https://i.test/t, client-id: c, client-secret: {kind: env, name: SALLYPORT_SECRET_A}, revocation: https://i.test/r}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: oauth-jwt-bearer, token-endpoint: https://i.test/t, service-account: {kind: env, name: SALLYPORT_SECRET_A}, issuer: i}"),
                change(
                        "blast-radius: low",
                        "blast-radius: low\naccount: {url: \"https://api.up.test/user\", member: login, is: [bot]}"),
                change(
                        "blast-radius: low",
                        "blast-radius: low\naccount: {url: \"https://api.up.test/user\", member: /login}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: github-app, app: 1, private-key: {kind: env, name: SALLYPORT_SECRET_A}, installation: 2, permissions: {contents: read}}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: github-app, app: 1, private-key: {kind: env, name: SALLYPORT_SECRET_A}, installation: 2, repositories: [acme/site], permissions: {contents: read}}"),
                change(
                        "source: {kind: file, name: up}",
                        "source: {kind: github-app, app: 1, private-key: {kind: env, name: SALLYPORT_SECRET_A}, installation: 2, repositories: [site], permissions: {contents: all}}"))) {
            assertAgreement(Kind.CREDENTIAL, "credentials/up.yml", TestFolder.CREDENTIAL, bad, false);
        }
    }

    @Test
    void ways_in_are_good_and_bad_to_both() throws Exception {
        for (String good : List.of(
                "{kind: bearer, part: session-token}",
                "{kind: basic}",
                "{kind: header, name: X-Auth, template: \"{username}:{password}\"}",
                "{kind: query, name: api_key}",
                "{kind: cookie, name: session, encoding: percent, part: token}",
                "{kind: path, template: \"/bot{secret}/**\"}",
                "{kind: form, name: token}",
                "{kind: json, pointer: /auth/token}",
                "{kind: placeholder, in: {kind: bearer}}",
                "{kind: placeholder, value: sk-placeholder-0000, in: {kind: json, pointer: /a~1b}}",
                "{kind: hmac, field: X-Sig, over: [content]}",
                "{kind: hmac, field: X-Sig, template: \"v0={signature}\", separator: \":\", timestamp-field: X-T, algorithm: sha512, encoding: base64, key-encoding: hex, timestamp: milliseconds, over: [{text: v0}, timestamp, {field: X-Id}]}",
                "{kind: dpop}")) {
            assertAgreement(
                    Kind.CREDENTIAL, "credentials/up.yml", TestFolder.CREDENTIAL, change("{kind: bearer}", good), true);
        }
        for (String bad : List.of(
                "{kind: bearer, part: A}",
                "{kind: query}",
                "{kind: query, name: \"a=b\"}",
                "{kind: cookie, name: session, encoding: base64}",
                "{kind: path, template: /bot/**}",
                "{kind: form, name: token, template: \"{secret}\"}",
                "{kind: json, pointer: auth/token}",
                "{kind: placeholder, value: short, in: {kind: bearer}}",
                "{kind: placeholder, in: {kind: cookie, name: a}}",
                "{kind: placeholder, value: sk-placeholder-0000}",
                "{kind: hmac, field: X-Sig}",
                "{kind: hmac, field: X-Sig, over: []}",
                "{kind: hmac, field: X-Sig, over: [body]}",
                "{kind: hmac, field: X-Sig, separator: \"-\", over: [content]}",
                "{kind: hmac, field: X-Sig, template: \"{secret}\", over: [content]}",
                "{kind: dpop, name: a}")) {
            assertAgreement(
                    Kind.CREDENTIAL, "credentials/up.yml", TestFolder.CREDENTIAL, change("{kind: bearer}", bad), false);
        }
    }

    @Test
    void sources_of_aws_are_good_and_bad_to_both() throws Exception {
        String who = "region: eu-central-1, access: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}";
        String role = "role: \"arn:aws:iam::111122223333:role/a\"";
        for (String good : List.of(
                "{kind: aws-secrets-manager, " + who
                        + ", secret: a/b, stage: AWSPREVIOUS, field: token, refresh: 5min}",
                "{kind: aws-ssm, " + who
                        + ", parameter: /a, version: 3, fields: {username: u}, endpoint: \"https://vpce.up.test\"}",
                "{kind: aws-sts, " + who + ", " + role
                        + ", actions: [\"s3:*\"], account: \"111122223333\", tags: {a: \"{task}\"}}",
                "{kind: aws-sts, region: eu-central-1, access: {token: {kind: file, name: t}, via: [{" + role + "}]}, "
                        + role + ", policy: {Statement: [{Effect: Deny, Action: \"*\", Resource: \"*\"}]}}")) {
            assertAgreement(
                    Kind.CREDENTIAL,
                    "credentials/up.yml",
                    TestFolder.CREDENTIAL,
                    change("{kind: file, name: up}", good),
                    true);
        }
        for (String bad : List.of(
                "{kind: aws-secrets-manager, " + who + "}",
                "{kind: aws-secrets-manager, secret: a, region: eu-central-1}",
                "{kind: aws-secrets-manager, " + who + ", secret: a, stage: OLD}",
                "{kind: aws-ssm, " + who + ", parameter: /a, version: 0}",
                "{kind: aws-sts, " + who + ", " + role + ", secret: a}",
                "{kind: aws-sts, region: eu-central-1, access: {}, " + role + "}",
                "{kind: aws-sts, region: eu-central-1, access: {key: {kind: local}}, " + role + "}")) {
            assertAgreement(
                    Kind.CREDENTIAL,
                    "credentials/up.yml",
                    TestFolder.CREDENTIAL,
                    change("{kind: file, name: up}", bad),
                    false);
        }
    }

    private void assertAgreement(Kind kind, String place, String right, Change change, boolean good)
            throws IOException {
        assertThat(right).contains(change.from);
        String text = right.replace(change.from, change.to);
        TestFolder folder = new TestFolder(temp.resolve("rules"));
        folder.write(place, text);
        assertThat(folder.problems().isEmpty())
                .as("by the compiler: %s %s", change, folder.problems())
                .isEqualTo(good);
        assertThat(bySchema(kind, text)).as("by the schema: %s", change).isEqualTo(good);
    }

    private static boolean bySchema(Kind kind, String text) throws IOException {
        try (InputStream resource = SchemaTest.class.getResourceAsStream("/schema/" + kind.key() + ".json")) {
            String json = new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(json);
            return schema.validate(text, InputFormat.YAML).isEmpty();
        }
    }
}
