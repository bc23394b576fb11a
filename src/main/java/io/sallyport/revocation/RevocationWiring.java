package io.sallyport.revocation;

import io.sallyport.grant.FlowCutter;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskTokens;
import io.sallyport.http.Origin;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Readers;
import io.sallyport.store.Writer;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The room's beans. {@link GrantReach}, {@link FlowCutter} and {@link IdentitiesInForce} come from above; the first two from rooms that need
 * grants themselves, so they are looked up when they are first needed.
 */
@Configuration(proxyBeanMethods = false)
class RevocationWiring {

    /** Longer than any healthy commit; short enough for a person who waits for the receipt. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Bean
    StandingLocks locks(Readers readers, ObjectProvider<GrantReach> reach) {
        return new StandingLocks(late(reach), readers.read(RevocationRows::locks));
    }

    @Bean
    JdbcRevocations.Store revocationStore(
            Writer writer, Readers readers, Ledger ledger, Clock clock, RevocationSettings settings) {
        return new JdbcRevocations.Store(writer, readers, ledger, clock, settings.node(), PATIENCE);
    }

    @Bean
    JdbcRevocations revocations(
            Grants grants,
            ObjectProvider<FlowCutter> flows,
            ObjectProvider<GrantReach> reach,
            StandingLocks locks,
            JdbcRevocations.Store store) {
        return new JdbcRevocations(grants, ended -> flows.getObject().cut(ended), late(reach), locks, store);
    }

    @Bean
    RetryTimer retryTimer(JdbcRevocations revocations) {
        return new RetryTimer(revocations);
    }

    @Bean
    TokenRevocation tokenRevocation(TaskTokens tokens, Grants grants, JdbcRevocations revocations) {
        return new TokenRevocation(tokens, grants, revocations);
    }

    private static GrantReach late(ObjectProvider<GrantReach> provided) {
        return new GrantReach() {
            @Override
            public Set<String> credentials(Grant grant) {
                return provided.getObject().credentials(grant);
            }

            @Override
            public boolean reaches(Grant grant, Origin destination) {
                return provided.getObject().reaches(grant, destination);
            }
        };
    }
}
