package io.sallyport.http;

import java.util.List;
import java.util.stream.Stream;

/**
 * The names on the list of credential slots, with what speaks for them. Left off on purpose, because they mean something else more
 * often: {@code code}, {@code state}, {@code appid}, {@code sid}, {@code page_token}, {@code continuation-token}, anti-forgery tokens
 * ({@code x-csrf-token}, {@code x-xsrf-token}, {@code x-atlassian-token}) and {@code idempotency-key}. A rule whose own credential rides in such a place
 * empties it all the same.
 */
final class SlotNames {

    /** Families: vendors name theirs {@code x-vendor-api-key}. */
    static final List<String> ENDINGS = List.of(
            "accesstoken", "apikey", "authorization", "authtoken", "clientsecret", "secretkey", "securitytoken");

    /** In a field as in a query. */
    private static final List<String> ANYWHERE = List.of(
            // Standards and everyday names.
            "authorization",
            "auth",
            "auth-key",
            "token",
            "access-token",
            "access-key",
            "access-key-id",
            "api-key",
            "api-token",
            "api-secret",
            "app-key",
            "application-key",
            "key",
            "secret",
            "client-secret",
            "client-assertion",
            "password",
            "passwd",
            "jwt",
            "id-token",
            "refresh-token",
            "bearer-token",
            "session-token",
            "user-token",
            "user-key",
            "private-token",
            "signature",
            // Vendors whose tools put the same name in either place.
            "circle-token",
            "deploy-token",
            "github-token",
            "gitlab-token",
            "job-token",
            "subscription-key",
            "ocp-apim-subscription-key",
            "x-amz-security-token",
            "x-plex-token",
            "wstoken");

    private static final List<String> FIELDS = List.of(
            "proxy-authorization",
            "cookie",
            "cookie2",
            "dpop",
            "authentication",
            "bearer",
            "x-auth",
            "x-auth-key",
            "x-auth-token",
            "x-auth-user-service-key",
            "x-auth-signature",
            "x-access-key",
            "x-access-token",
            "x-api-key",
            "x-api-secret",
            "x-api-token",
            "x-token",
            "x-key",
            "x-secret",
            "x-password",
            "x-jwt",
            "x-jwt-assertion",
            "x-id-token",
            "x-bearer-token",
            "x-session-token",
            "x-user-token",
            "x-service-token",
            "x-admin-token",
            "x-client-secret",
            "x-private-token",
            // Identity that a trusted front door would assert.
            "x-forwarded-access-token",
            "x-forwarded-client-cert",
            "x-ssl-client-cert",
            "x-client-cert",
            "client-cert",
            "x-goog-iap-jwt-assertion",
            "cf-access-jwt-assertion",
            "cf-access-client-id",
            "cf-access-client-secret",
            "cf-access-token",
            // Clouds and vendors.
            "x-goog-api-key",
            "x-goog-iam-authorization-token",
            "x-ms-authorization-auxiliary",
            "x-functions-key",
            "x-aws-ec2-metadata-token",
            "x-registry-auth",
            "x-vault-token",
            "x-consul-token",
            "x-nomad-token",
            "x-github-token",
            "x-gitlab-token",
            "x-figma-token",
            "x-shopify-access-token",
            "x-jfrog-art-api",
            "x-algolia-api-key",
            "dd-api-key",
            "dd-application-key",
            "x-honeycomb-team",
            "x-rapidapi-key",
            "x-insert-key",
            "x-query-key",
            "x-license-key",
            "x-sentry-token",
            "x-subscription-token",
            "x-emby-token",
            "x-postmark-server-token",
            "x-postmark-account-token",
            "xi-api-key",
            "x-hasura-admin-secret",
            "x-parse-master-key",
            "x-parse-session-token",
            "x-parse-rest-api-key",
            "x-contentful-token",
            "x-influx-token");

    private static final List<String> PARAMETERS = List.of(
            "login-token",
            "oauth-token",
            "oauth-signature",
            "oauth-consumer-key",
            "assertion",
            // What makes a presigned URL one: whoever holds it acts as its signer.
            "awsaccesskeyid",
            "sig",
            "x-amz-signature",
            "x-amz-credential",
            "x-goog-signature",
            "x-goog-credential",
            "x-oss-signature",
            "x-oss-credential",
            "ossaccesskeyid");

    private SlotNames() {}

    static List<String> fields() {
        return Stream.concat(ANYWHERE.stream(), FIELDS.stream()).sorted().toList();
    }

    static List<String> parameters() {
        return Stream.concat(ANYWHERE.stream(), PARAMETERS.stream()).sorted().toList();
    }
}
