package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import io.sallyport.store.Readers;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The room's beans. {@link GrantReach} and {@link FlowCutter} come from above, from rooms that need grants themselves: so they are looked up
 * when they are first needed.
 */
@Configuration(proxyBeanMethods = false)
class RevocationWiring {

    @Bean
    StandingLocks locks(Readers readers, ObjectProvider<GrantReach> reach) {
        return new StandingLocks(late(reach), readers.read(RevocationRows::locks));
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
