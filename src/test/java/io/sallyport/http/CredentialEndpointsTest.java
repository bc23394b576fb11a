package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-74: which requests are answered with a fresh credential, however they are spelled. */
class CredentialEndpointsTest {

    private static Optional<CredentialEndpoints.Found> find(String request) {
        int space = request.indexOf(' ');
        return CredentialEndpoints.find(
                request.substring(0, space),
                Target.parse(request.substring(space + 1)).orElseThrow());
    }

    private static AllowPattern allow(String text) {
        return AllowPattern.parseAllow(text).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /oauth/token",
                "POST /oauth2/v2.0/token",
                "POST /realms/acme/protocol/openid-connect/token",
                "POST /login/oauth/access_token",
                "GET /v19.0/oauth/access_token",
                "POST /app/installations/42/access_tokens",
                "POST /api/v3/app/installations/42/access_tokens",
                "POST /authorizations",
                "POST /user/keys",
                "POST /repos/acme/site/keys",
                "POST /api/v4/users/1/personal_access_tokens",
                "POST /api/v4/projects/acme%2Fsite/deploy_tokens",
                "POST /api/v4/personal_access_tokens/7/rotate",
                "POST /api/oauth.v2.access",
                "POST /v1/projects/-/serviceAccounts/a@b.iam.gserviceaccount.com:generateAccessToken",
                "POST /v1/projects/p/serviceAccounts/a/keys",
                "PUT /-/user/org.couchdb.user:me",
                "GET /token?service=registry.docker.io&scope=repository:a/b:pull",
                "GET /?session",
                "PUT /v1/auth/userpass/login/me",
                "POST /create_api_key",
                "POST /v1/organization/admin_api_keys",
                "POST /v1/realtime/client_secrets"
            })
    void an_endpoint_that_hands_out_credentials_is_found(String request) {
        assertThat(find(request)).as(request).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /OAuth/Token",
                "POST /oauth/token/",
                "POST /oauth//token",
                "POST /oauth/token;v=1",
                "POST /oauth;x/token",
                "POST /oauth%2Ftoken",
                "POST /oauth/to%6Ben",
                "POST /oauth/to%256Ben",
                "POST /oauth/token.json",
                "POST /oauth/token%3Bx",
                "POST /login/oauth/access-token",
                "POST /app/installations/42/accesstokens.json"
            })
    void no_other_spelling_hides_it(String request) {
        assertThat(find(request)).as(request).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /repos/acme/site/contents/src/token",
                "GET /token",
                "PUT /bucket/token",
                "POST /v1/messages/count_tokens",
                "POST /v1/chat/completions",
                "GET /api/v4/personal_access_tokens",
                "DELETE /user/keys/1",
                "GET /user/keys",
                "POST /repos/acme/site/issues",
                "POST /acme/site.git/git-receive-pack",
                "POST /v1/tokenize",
                "GET /bucket?session=1",
                "POST /"
            })
    void what_hands_out_nothing_is_left_alone(String request) {
        assertThat(find(request)).as(request).isEmpty();
    }

    /** Somebody wrote it down, or merely covered it. */
    @ParameterizedTest
    @CsvSource({
        "POST /oauth/token, POST /oauth/token, true",
        "POST /oauth/token, * /oauth/token, true",
        "POST /oauth/token, POST /*/token, true",
        "POST /oauth/token, POST /oauth/*, false",
        "POST /oauth/token, POST /oauth/tok*, false",
        "POST /oauth/token, POST /oauth/**, false",
        "POST /oauth/token, POST /**, false",
        "POST /oauth/token/, POST /oauth/token/, true",
        "POST /oauth/token/x, POST /oauth/token/*, true",
        "POST /app/installations/4/access_tokens, POST /app/installations/*/access_tokens, true",
        "POST /app/installations/4/access_tokens, POST /app/*/*/access_tokens, false",
        "POST /app/installations/4/access_tokens, POST /app/installations/4/*, false",
        "POST /create_api_key, POST /create_api_key, true",
        "POST /create_api_key, POST /create_*, false",
        "POST /v1/sa:generateAccessToken, POST /v1/*:generateAccessToken, true",
        "POST /v1/sa:generateAccessToken, POST /v1/sa*, false",
    })
    void a_pattern_names_it_or_merely_covers_it(String request, String pattern, boolean named) {
        Optional<CredentialEndpoints.Found> found = find(request);
        boolean allowed = found.isEmpty() || found.get().isNamedBy(allow(pattern));
        assertThat(allowed).isEqualTo(named);
        if (found.isPresent() && named) {
            assertThat(CredentialEndpoints.saidBy(allow(pattern))).isPresent();
        }
    }

    @Test
    void an_action_is_found_in_a_query_and_in_a_field() {
        assertThat(CredentialActions.in(
                        Target.parse("/?Action=AssumeRole&RoleArn=x").orElseThrow()))
                .containsExactly("AssumeRole");
        assertThat(CredentialActions.in(
                        Target.parse("/?action=assume%52ole&Action=x").orElseThrow()))
                .containsExactly("AssumeRole");
        assertThat(CredentialActions.in(
                        Target.parse("/?Action=GetCallerIdentity").orElseThrow()))
                .isEmpty();
        assertThat(CredentialActions.in(
                        Fields.of("x-amz-target", "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken")))
                .contains("GetAuthorizationToken");
        assertThat(CredentialActions.in(Fields.of("X-Amz-Target", "DynamoDB_20120810.GetItem")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc",
                "/o?x-amz-signature=abc",
                "/o?Expires=1&Signature=abc&Key-Pair-Id=k",
                "/o?sv=2024&sig=abc",
                "/o?a=1;sig=abc",
                "/o?%53ig=abc",
                "/o?X-Goog-Signature=abc",
            })
    void a_signed_url_is_known_by_its_signature(String target) {
        assertThat(SignedUrls.signatureIn(Target.parse(target).orElseThrow(), java.util.Set.of()))
                .isPresent();
    }

    @Test
    void a_name_that_is_no_signature_here_is_none() {
        Target target = Target.parse("/o?sig=abc&signed=1").orElseThrow();
        assertThat(SignedUrls.signatureIn(target, java.util.Set.of("sig"))).isEmpty();
        assertThat(SignedUrls.signatureIn(Target.parse("/o?design=1").orElseThrow(), java.util.Set.of()))
                .isEmpty();
    }

    @Test
    void the_page_lists_every_line_and_action() throws Exception {
        String page = Files.readString(Path.of("docs/reference/handed-out-credentials.md"));
        assertThat(CredentialEndpoints.lines()).allMatch(line -> page.contains("`" + line + "`"));
        assertThat(CredentialEndpoints.endings()).allMatch(ending -> page.contains("`" + ending + "`"));
        assertThat(CredentialActions.names()).allMatch(name -> page.contains("`" + name + "`"));
        assertThat(SignedUrls.signatures()).allMatch(name -> page.contains("`" + name + "`"));
    }
}
