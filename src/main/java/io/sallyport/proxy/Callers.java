package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Recognition;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whose grant a connection or a request goes by: the second step of a request. */
final class Callers {

    private static final Logger LOG = LoggerFactory.getLogger(Callers.class);

    private final Grants grants;
    private final Allowance<InetAddress> strangers;
    private final HopHealth health;

    Callers(Grants grants, Allowance<InetAddress> strangers, HopHealth health) {
        this.grants = grants;
        this.strangers = strangers;
        this.health = health;
    }

    /** @param token as presented; null for none @param challenge what a stranger is told: 407 at the hop, 401 at the gateway */
    Recognised recognise(@Nullable String token, InetAddress source, RefusalError challenge) {
        String cause;
        if (token == null) {
            cause = "no task token was presented";
        } else {
            switch (grants.recognise(token, source)) {
                case Recognition.Live(Grant grant) -> {
                    return new Recognised.Live(grant);
                }
                // The cause is not for whoever asks: a stranger learns nothing about grants.
                case Recognition.NotLive ignored -> cause = "the task token names no live grant for this address";
            }
        }
        health.refusedBeforeGrant();
        if (!strangers.take(source)) {
            return new Recognised.Stranger(
                    Refusal.of(RefusalError.TOO_MANY_FAILURES, "too many requests without a grant")
                            .after(Duration.ofSeconds(1))
                            .closing());
        }
        return new Recognised.Stranger(Refusal.of(challenge, cause));
    }

    /**
     * Whose head this is that could not be read: for its entry, and for nothing else. The task token in it, or one of two, where it is
     * live for this source.
     */
    Optional<Grant> sender(String unreadable, InetAddress source) {
        for (String token : PresentedToken.anywhere(unreadable)) {
            if (grants.recognise(token, source) instanceof Recognition.Live(Grant grant)) {
                return Optional.of(grant);
            }
        }
        return Optional.empty();
    }

    /**
     * The grant of whoever shows none, by its source address: where exactly one that is used by its token is bound to it. Of several it
     * could be any, so it is none.
     */
    Optional<Grant> ofSource(InetAddress source) {
        List<Grant> bound = grants.boundTo(source);
        if (bound.size() == 1) {
            return Optional.of(bound.getFirst());
        }
        health.refusedBeforeGrant();
        health.ledAway(bound.isEmpty() ? LedAway.NO_GRANT : LedAway.SEVERAL_GRANTS);
        if (strangers.take(source)) {
            LOG.info(
                    "a connection from {} was led here and closed: {} live grants are bound to that address",
                    source,
                    bound.size());
        }
        return Optional.empty();
    }
}
