package io.sallyport.credential.source;

import io.sallyport.net.AwsPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.model.Credentials;
import software.amazon.awssdk.services.sts.model.Tag;

/**
 * A session of a role. AWS has no way to end one: it lives until its time is up.
 *
 * @param until by AWS's clock
 */
record AwsSession(AwsSessionCredentials credentials, Instant until) {

    /** The shortest that AWS gives. */
    static final Duration SHORTEST = Duration.ofMinutes(15);

    /** The longest of a session that a session opens. */
    static final Duration LONGEST_CHAINED = Duration.ofHours(1);

    private static final int LONGEST_NAME = 64;

    /**
     * What is asked for.
     *
     * @param name stands in CloudTrail and in the session's ARN
     * @param policy JSON; null for all that the role may do
     */
    record Wish(String name, Duration life, @Nullable String policy, SortedMap<String, String> tags) {}

    /** AWS allows letters, digits and few others, at most 64; what stands before is kept, so that names begin alike. */
    static String name(String text) {
        String allowed = text.replaceAll("[^A-Za-z0-9_+=,.@-]", "-");
        return allowed.length() > LONGEST_NAME ? allowed.substring(0, LONGEST_NAME) : allowed;
    }

    static AwsSession open(AwsCaller caller, AwsPlace sts, AwsSelf self, AwsRole role, Wish wish)
            throws SourceFault, InterruptedException {
        Credentials given = caller.call(AwsService.STS, sts, self.provider(), client -> switch (self) {
            case AwsSelf.Key key -> assumed(client, role, wish);
            case AwsSelf.WebIdentity(String token) -> assumed(client, token, role, wish);
        });
        if (given == null
                || given.accessKeyId() == null
                || given.secretAccessKey() == null
                || given.sessionToken() == null
                || given.expiration() == null) {
            throw SourceFault.bad(AwsService.STS.noun() + " answered without a session");
        }
        return new AwsSession(
                AwsSessionCredentials.create(given.accessKeyId(), given.secretAccessKey(), given.sessionToken()),
                given.expiration());
    }

    private static Credentials assumed(StsClient client, AwsRole role, Wish wish) {
        List<Tag> tags = wish.tags().entrySet().stream()
                .map(tag ->
                        Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                .toList();
        return client.assumeRole(request -> {
                    request.roleArn(role.arn())
                            .roleSessionName(wish.name())
                            .durationSeconds(Math.toIntExact(wish.life().toSeconds()))
                            .policy(wish.policy())
                            .externalId(role.externalId());
                    if (!tags.isEmpty()) {
                        request.tags(tags);
                    }
                })
                .credentials();
    }

    private static Credentials assumed(StsClient client, String token, AwsRole role, Wish wish) {
        return client.assumeRoleWithWebIdentity(request -> request.roleArn(role.arn())
                        .roleSessionName(wish.name())
                        .durationSeconds(Math.toIntExact(wish.life().toSeconds()))
                        .policy(wish.policy())
                        .webIdentityToken(token))
                .credentials();
    }

    @Override
    public String toString() {
        return "AwsSession[until " + until + "]";
    }
}
