package io.sallyport.credential.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.identity.Principal;
import io.sallyport.testing.AwsPolicies;
import io.sallyport.testing.AwsStandIn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwsRoleTest {

    private static final String ROLE = "kind: aws-sts\nrole: \"" + AwsStandInCase.ROLE + "\"\n";
    private static final String OURS = AwsStandIn.ACCOUNT;

    @TempDir
    Path folder;

    private AwsStandInCase standIn;

    @BeforeEach
    void open() {
        standIn = new AwsStandInCase(folder);
    }

    @AfterEach
    void close() {
        standIn.close();
    }

    private Grant grant(Duration left) {
        return TestGrants.with(draft -> draft.expires = standIn.ours.instant().plus(left));
    }

    private Fetched fetched(SecretSource source, Grant grant) throws Exception {
        return source.fetch(AwsCase.fetch(standIn.tools(), null, grant));
    }

    private AwsStandIn.Opened opened(SecretSource source, Grant grant) throws Exception {
        fetched(source, grant);
        return standIn.aws.opened.getLast();
    }

    private SourceFault fault(SecretSource source) {
        SourceFault fault =
                catchThrowableOfType(SourceFault.class, () -> fetched(source, grant(Duration.ofMinutes(20))));
        assertThat(fault).isNotNull();
        return fault;
    }

    @Test
    void each_grant_has_a_session_of_its_own_with_three_parts() throws Exception {
        SecretSource source = standIn.source(ROLE);
        assertThat(source.sharing()).isEqualTo(SecretSource.Sharing.PER_GRANT);
        Fetched one = fetched(source, grant(Duration.ofMinutes(20)));
        Fetched two = fetched(source, grant(Duration.ofMinutes(20)));
        assertThat(((Fetched.Given) one).material().names())
                .containsExactly("access-key-id", "secret-access-key", "session-token");
        assertThat(AwsCase.part(one, "access-key-id")).startsWith("ASIA");
        assertThat(AwsCase.part(one, "access-key-id")).isNotEqualTo(AwsCase.part(two, "access-key-id"));
        assertThat(AwsCase.stamp(one)).isNotEqualTo(AwsCase.stamp(two));
        assertThat(((Fetched.Given) one).revoker())
                .as("AWS has nothing to revoke")
                .isNull();
    }

    @Test
    void a_session_lives_no_longer_than_its_grant_where_aws_lets_it() throws Exception {
        SecretSource source = standIn.source(ROLE + "duration: 2h");
        for (var asked : List.of(
                List.of(Duration.ofMinutes(3), Duration.ofMinutes(15)),
                List.of(Duration.ofMinutes(40), Duration.ofMinutes(40)),
                List.of(Duration.ofHours(9), Duration.ofHours(2)))) {
            AwsStandIn.Opened opened = opened(source, grant(asked.getFirst()));
            assertThat(Long.parseLong(opened.asked().get("DurationSeconds")))
                    .isBetween(asked.getLast().toSeconds() - 5, asked.getLast().toSeconds() + 1);
        }
    }

    /** Else a broker whose clock is slow would use a session that has ended. */
    @Test
    void a_session_is_believed_for_as_long_as_was_asked_for_at_most() throws Exception {
        standIn.theirs.pass(Duration.ofMinutes(4));
        assertThat(fetched(standIn.source(ROLE), grant(Duration.ofMinutes(5))).lives())
                .isEqualTo(Duration.ofMinutes(15));
        standIn.theirs.pass(Duration.ofMinutes(-8));
        assertThat(fetched(standIn.source(ROLE), grant(Duration.ofMinutes(5))).lives())
                .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(12));
    }

    @Test
    void a_key_of_a_session_asks_for_an_hour_at_most() throws Exception {
        standIn.aws.keys.put(
                "ASIABROKER0000000001",
                new AwsStandIn.Key(
                        "s".repeat(40),
                        "t".repeat(40),
                        "arn:aws:iam::111122223333:user/broker",
                        standIn.theirs.instant().plusSeconds(3600),
                        null));
        standIn.environment.put(
                "SALLYPORT_SECRET_AWS", "ASIABROKER0000000001:" + "s".repeat(40) + ":" + "t".repeat(40));
        assertThat(opened(standIn.source(ROLE + "duration: 12h"), grant(Duration.ofHours(9)))
                        .asked())
                .containsEntry("DurationSeconds", "3600");
    }

    @Test
    void the_session_is_named_by_its_grant_and_has_the_tags_that_the_document_asks_for() throws Exception {
        Grant grant = TestGrants.with(draft -> {
            draft.expires = standIn.ours.instant().plusSeconds(1200);
            draft.person = new Principal("people", "ada@acme.example");
        });
        AwsStandIn.Opened opened = opened(
                standIn.source(
                        ROLE
                                + "external-id: our-id\ntags: {task: \"{task}\", who: \"{workload}\", person: \"{person}\", team: web}"),
                grant);
        assertThat(opened.asked())
                .containsEntry("RoleSessionName", "sallyport-" + grant.id().substring(0, 24));
        assertThat(opened.asked()).containsEntry("ExternalId", "our-id");
        assertThat(opened.tags())
                .containsEntry("task", grant.task())
                .containsEntry("who", grant.workload().toString())
                .containsEntry("person", "people/ada@acme.example")
                .containsEntry("team", "web");
    }

    /** A rule that compares with a tag that is empty may well match. */
    @Test
    void a_tag_that_the_grant_can_not_fill_refuses() {
        assertThat(fault(standIn.source(ROLE + "tags: {person: \"{person}\"}")).cause())
                .contains("is a person's, and the grant has none");
        assertThat(standIn.aws.opened).isEmpty();
    }

    @Test
    void of_several_limits_all_hold() throws Exception {
        SecretSource source = standIn.source(ROLE
                + "actions: [\"s3:*\", \"sts:GetCallerIdentity\"]\nresources: [\"arn:aws:s3:::ours/*\"]\naccount: \""
                + OURS + "\"");
        Grant grant = grant(Duration.ofMinutes(20));
        String wide = opened(source, grant).asked().get("Policy");
        assertThat(AwsPolicies.allows(wide, "s3:GetObject", "arn:aws:s3:::ours/a", OURS))
                .isTrue();
        assertThat(AwsPolicies.allows(wide, "s3:GetObject", "arn:aws:s3:::theirs/a", OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(wide, "s3:GetObject", "arn:aws:s3:::ours/a", "999999999999"))
                .isFalse();
        assertThat(AwsPolicies.allows(wide, "s3:GetObject", "arn:aws:s3:::ours/a", null))
                .isFalse();
        assertThat(AwsPolicies.allows(wide, "ec2:RunInstances", "arn:aws:s3:::ours/a", OURS))
                .isFalse();

        String narrow = opened(
                        AwsCase.narrowed(
                                source,
                                "{actions: [\"s3:Get*\", \"iam:*\"], resources: [\"arn:aws:s3:::*/{task}/*\"]}"),
                        grant)
                .asked()
                .get("Policy");
        String own = "/" + grant.task() + "/a";
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours" + own, OURS))
                .isTrue();
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours/other/a", OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::theirs" + own, OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "s3:PutObject", "arn:aws:s3:::ours" + own, OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "iam:CreateUser", "arn:aws:s3:::ours" + own, OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours" + own, "999999999999"))
                .isFalse();
    }

    @Test
    void a_policy_that_is_written_out_is_sent_and_narrowed_by_lists_alone() throws Exception {
        SecretSource source = standIn.source(ROLE + """
                policy:
                  Version: "2012-10-17"
                  Statement:
                    - {Sid: One, Effect: Allow, Action: ["s3:GetObject", "s3:PutObject"], Resource: "arn:aws:s3:::ours/*"}
                    - Effect: Deny
                      Action: "*"
                      Resource: "arn:aws:s3:::ours/secret/*"
                """);
        String narrow = opened(
                        AwsCase.narrowed(source, "{actions: [\"s3:GetObject\"], account: [\"" + OURS + "\"]}"),
                        grant(Duration.ofMinutes(20)))
                .asked()
                .get("Policy");
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours/a", OURS))
                .isTrue();
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours/secret/a", OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "s3:PutObject", "arn:aws:s3:::ours/a", OURS))
                .isFalse();
        assertThat(AwsPolicies.allows(narrow, "s3:GetObject", "arn:aws:s3:::ours/a", "999999999999"))
                .isFalse();
        assertThat(AwsCase.narrowingProblems(
                        source, "{policy: {Statement: [{Effect: Allow, Action: \"*\", Resource: \"*\"}]}}"))
                .singleElement()
                .asString()
                .contains("beside another policy");
    }

    @Test
    void an_account_alone_pins_all_that_the_role_may() throws Exception {
        String pinned = opened(
                        AwsCase.narrowed(standIn.source(ROLE), "{account: \"" + OURS + "\"}"),
                        grant(Duration.ofMinutes(20)))
                .asked()
                .get("Policy");
        assertThat(AwsPolicies.allows(pinned, "s3:GetObject", "arn:aws:s3:::any/a", OURS))
                .isTrue();
        assertThat(AwsPolicies.allows(pinned, "s3:GetObject", "arn:aws:s3:::any/a", "999999999999"))
                .isFalse();
    }

    @Test
    void what_a_scope_narrows_is_another_source_so_that_no_cache_mistakes_them() {
        SecretSource source = standIn.source(ROLE);
        SecretSource one = AwsCase.narrowed(source, "{actions: [\"s3:GetObject\"]}");
        SecretSource two = AwsCase.narrowed(source, "{actions: [\"s3:PutObject\"]}");
        assertThat(List.of(source.toString(), one.toString(), two.toString())).doesNotHaveDuplicates();
        assertThat(one).isEqualTo(AwsCase.narrowed(source, "{actions: [\"s3:GetObject\"]}"));
    }

    @Test
    void what_sts_says_of_a_session_is_told_by_what_is_to_be_done() {
        standIn.aws.fail(
                400,
                "PackedPolicyTooLarge",
                "Packed policy consumes 137% of allotted space, please use smaller policy.");
        SourceFault large = fault(standIn.source(ROLE));
        assertThat(large.kind()).isEqualTo(SourceFault.Kind.BAD);
        assertThat(large.cause())
                .contains("too large in AWS's packed form (137% of what is allowed)")
                .doesNotContain("allotted");

        standIn.aws.fail(403, "RegionDisabledException", "STS is not activated in this region");
        assertThat(fault(standIn.source(ROLE)).cause()).contains("is not active in this region");
        standIn.aws.fail(400, "MalformedPolicyDocument", "Syntax errors in policy.");
        assertThat(fault(standIn.source(ROLE)).kind()).isEqualTo(SourceFault.Kind.BAD);

        standIn.aws.roles.put(
                AwsStandInCase.ROLE,
                new AwsStandIn.Role("arn:aws:iam::111122223333:user/broker", null, Duration.ofMinutes(15)));
        assertThat(fault(standIn.source(ROLE + "duration: 1h")).cause()).contains("shorter maximum duration");
        standIn.aws.roles.put(
                AwsStandInCase.ROLE,
                new AwsStandIn.Role("arn:aws:iam::111122223333:user/else", null, Duration.ofHours(1)));
        assertThat(fault(standIn.source(ROLE)).kind()).isEqualTo(SourceFault.Kind.DENIED);
    }

    @Test
    void a_web_identity_takes_on_the_role_itself_and_role_after_role_where_the_document_says_so() throws Exception {
        standIn.environment.put("SALLYPORT_SECRET_TOKEN", "token.one.sig");
        standIn.aws.webIdentities.put("token.one.sig", "sub");
        standIn.aws.roles.put(AwsStandInCase.ROLE, new AwsStandIn.Role("sub", null, Duration.ofHours(1)));
        String token = "access: {token: {kind: env, name: SALLYPORT_SECRET_TOKEN}}\n";
        AwsStandIn.Opened direct =
                opened(standIn.source(ROLE + token + "actions: [\"s3:*\"]"), grant(Duration.ofMinutes(20)));
        assertThat(direct.asked())
                .containsEntry("Action", "AssumeRoleWithWebIdentity")
                .containsKey("Policy");

        String inner = "arn:aws:iam::111122223333:role/inner";
        standIn.aws.roles.put(
                inner,
                new AwsStandIn.Role("arn:aws:sts::111122223333:assumed-role/site-fixer/", null, Duration.ofHours(1)));
        String via = "access: {token: {kind: env, name: SALLYPORT_SECRET_TOKEN}, via: [{role: \"" + AwsStandInCase.ROLE
                + "\"}]}\n";
        AwsStandIn.Opened chained = opened(
                standIn.source(via + "kind: aws-sts\nrole: \"" + inner + "\"\ntags: {a: b}"),
                grant(Duration.ofHours(5)));
        assertThat(chained.asked()).containsEntry("Action", "AssumeRole").containsEntry("DurationSeconds", "3600");
        assertThat(chained.tags()).containsEntry("a", "b");
    }

    @Test
    void what_is_wrong_is_said_when_the_document_is_read() {
        String base = "region: eu-central-1\naccess: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}\n";
        String token = "region: eu-central-1\naccess: {token: {kind: env, name: SALLYPORT_SECRET_AWS}}\n";
        String via = "region: eu-central-1\naccess: {key: {kind: env, name: SALLYPORT_SECRET_AWS}, via: [{role: \""
                + AwsStandInCase.ROLE + "\"}]}\n";
        says(base + "kind: aws-sts\nrole: site-fixer", "role: \"site-fixer\" is not a role");
        says(base + ROLE + "duration: 5min", "duration: is too short");
        says(via + ROLE + "duration: 2h", "duration: is longer than AWS lets a role live that another role takes on");
        says(token + ROLE + "external-id: ours", "external-id: has no use where a token opens the role");
        says(token + ROLE + "tags: {a: b}", "tags: can't be given where a token opens the role");
        says(token + "kind: aws-ssm\nparameter: a", "access.via: is missing");
        says(base + ROLE + "resources: [\"arn:aws:s3:::a/{workload}/*\"]", "has {workload}");
        says(base + ROLE + "actions: [all]", "\"all\" is not an action");
        says(base + ROLE + "account: \"1234\"", "\"1234\" is not an account");
        says(base + ROLE + "tags: {\"aws:x\": b}", "is not a tag's key");
        says(base + ROLE + "tags: {a: \"{human}\"}", "has {human}");
        says(
                base + ROLE
                        + "policy: {Statement: [{Effect: Allow, Action: \"*\", Resource: \"*\", Principal: \"*\"}]}",
                "Principal");
        says(base + ROLE + "policy: {Statement: [{Effect: Perhaps, Action: \"*\", Resource: \"*\"}]}", "Perhaps");
        says(
                base + ROLE + "policy: {Statement: [{Effect: Allow, Resource: \"*\"}]}",
                "needs either Action or NotAction");
        says(
                base + ROLE + "resources: [\"arn:aws:s3:::" + "a".repeat(1000) + "\", \"arn:aws:s3:::"
                        + "b".repeat(1000) + "\", \"arn:aws:s3:::" + "c".repeat(100) + "\"]",
                "makes a session policy of 22");
        says(
                "region: mars\n" + ROLE + "access: {key: {kind: local}}",
                "region: \"mars\" is not a region",
                "\"local\" is unknown");
        says(base + "kind: aws-secrets-manager\nsecret: a\nstage: AWSOLD", "\"AWSOLD\" is unknown");
        says(
                base + "kind: aws-secrets-manager\nsecret: a\nstage: AWSCURRENT\nversion: " + AwsStandInCase.FIRST,
                "stands beside stage");
        says(base + "kind: aws-secrets-manager\nsecret: a\nendpoint: \"http://10.0.0.1\"", "can't be called safely");
        says(base + "kind: aws-ssm\nparameter: \"a:3\"", "version and label have keys of their own");
        says(base + "kind: aws-ssm\nparameter: a\nrefresh: 1s", "refresh: is too short");
        says("kind: aws-ssm\nparameter: a", "region: is missing", "access: is missing");
        assertThat(AwsCase.narrowingProblems(standIn.source(ROLE), "{}"))
                .singleElement()
                .asString()
                .contains("says nothing");
        assertThat(AwsCase.narrowingProblems(standIn.source(ROLE + "tags: {Team: web}"), "{tags: {team: root}}"))
                .singleElement()
                .asString()
                .contains("which the credential gives a value already");
    }

    private static void says(String document, String... wanted) {
        String said = String.join("\n", AwsCase.problems(document));
        for (String each : wanted) {
            assertThat(said).contains(each);
        }
        assertThat(AwsCase.problems(document)).as(said).hasSize(wanted.length);
    }
}
