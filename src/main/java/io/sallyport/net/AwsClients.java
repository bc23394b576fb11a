package io.sallyport.net;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;

/**
 * Clients of the AWS SDK that call through the guard, and learn nothing from around the broker. Left to itself the SDK takes endpoints,
 * regions, modes and keys from variables, from a profile in the user's home and from the instance metadata service: whoever can set one of
 * these would lead the broker's requests, signed with its key, to a place of his own.
 */
public final class AwsClients {

    private static final ProfileFile NO_PROFILE = ProfileFile.aggregator().build();

    private final GuardedExchange exchange;
    private final AwsPlace place;
    private final Duration timeout;

    /** @param timeout of one call, from the name's resolution to the answer's last byte; nothing is repeated */
    public AwsClients(GuardedExchange exchange, AwsPlace place, Duration timeout) {
        this.exchange = exchange;
        this.place = place;
        this.timeout = timeout;
    }

    /**
     * A client to close after use; it holds no connection.
     *
     * @param builder of the service's client, as the SDK gives it
     * @param service the first label of the service's public endpoints, as in {@code sts}
     * @param credentials given by a document or setting; never the SDK's default chain
     */
    public <C extends SdkClient, B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>> C client(
            B builder, String service, AwsCredentialsProvider credentials) {
        return builder.region(Region.of(place.region()))
                .endpointOverride(URI.create(place.of(service).toString()))
                .dualstackEnabled(false)
                .fipsEnabled(false)
                .defaultsMode(DefaultsMode.STANDARD)
                .credentialsProvider(credentials)
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .defaultProfileFile(NO_PROFILE)
                        .defaultProfileName("none")
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .putAdvancedOption(SdkAdvancedClientOption.USER_AGENT_PREFIX, "sallyport")
                        .build())
                .httpClient(new AwsHttp(exchange, place, timeout))
                .build();
    }
}
