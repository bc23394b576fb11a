package io.sallyport.credential.source;

import io.sallyport.net.AwsClients;
import io.sallyport.net.AwsPlace;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The calls of one fetch, with one deadline for all of them. What passes by itself (throttling, a fault of the service) is asked again after a
 * pause that doubles and has a random part, so that brokers that were turned away together don't come back together.
 */
final class AwsCaller {

    private static final int ATTEMPTS = 4;
    private static final long FIRST_PAUSE_MILLIS = 200;

    /** Less than that is left: another attempt would hardly get its answer. */
    private static final Duration TOO_LITTLE = Duration.ofMillis(500);

    private final SourceTools tools;
    private final long until;

    AwsCaller(SourceTools tools, Duration within) {
        this.tools = tools;
        this.until = System.nanoTime() + within.toNanos();
    }

    /** @throws SourceFault that names the service, and nothing that it answered word for word */
    <C extends SdkClient, B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, R> R call(
            AwsService<C, B> service, AwsPlace place, AwsCredentialsProvider who, Function<C, R> question)
            throws SourceFault, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try (C client = new AwsClients(tools.client(), place, left())
                    .client(service.builder().get(), service.prefix(), who)) {
                return question.apply(client);
            } catch (SdkException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (attempt == ATTEMPTS || !AwsFaults.passes(e) || !paused(attempt)) {
                    throw AwsFaults.of(e, service.noun(), tools.clock().instant());
                }
            }
        }
    }

    /** @return false when there would be no time left after it */
    private boolean paused(int attempt) throws InterruptedException {
        long longest = FIRST_PAUSE_MILLIS << (attempt - 1);
        long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        if (left().compareTo(TOO_LITTLE.plusMillis(pause)) < 0) {
            return false;
        }
        Thread.sleep(pause);
        return true;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
    }
}
