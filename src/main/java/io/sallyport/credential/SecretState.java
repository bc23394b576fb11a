package io.sallyport.credential;

import io.sallyport.credential.source.SourceFault;
import io.sallyport.grant.TwoClocks;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a credential's secret. */
sealed interface SecretState {

    /** What the source said last, where it gave nothing; null where it gave something. */
    @Nullable
    SourceFault fault();

    /** Gives up this state's hold on what it holds. */
    void letGo();

    /**
     * Until when it may be used, and from when on it is to be asked for again.
     *
     * @param renewAt monotonic nanoseconds; null for when it is needed
     */
    record Life(TwoClocks.Deadline until, @Nullable Long renewAt) {}

    /**
     * A secret.
     *
     * @param parts names of what its source gave
     * @param fault why it could not be renewed, where that was tried and it lives on
     */
    record Ready(
            HeldSecret secret,
            Object stamp,
            Set<String> parts,
            Life life,
            @Nullable SourceFault fault) implements SecretState {

        static Ready of(HeldSecret secret, Object stamp, Set<String> parts, Life life) {
            return new Ready(secret, stamp, parts, life, null);
        }

        boolean due(long nanos) {
            Long renewAt = life.renewAt();
            return renewAt != null && nanos - renewAt >= 0;
        }

        Ready troubled(SourceFault trouble, long nextTry) {
            return new Ready(secret, stamp, parts, new Life(life.until(), nextTry), trouble);
        }

        @Override
        public void letGo() {
            secret.letGo();
        }
    }

    /** @param until monotonic nanoseconds: when the source is to be asked again */
    record Missing(SourceFault fault, long until) implements SecretState {

        @Override
        public void letGo() {}
    }
}
