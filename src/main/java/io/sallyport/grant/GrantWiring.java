package io.sallyport.grant;

import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Writer;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The room's beans. {@link Locks} comes from above. */
@Configuration(proxyBeanMethods = false)
class GrantWiring {

    @Bean
    StandingGrants standingGrants(Clock clock, @Qualifier("nanos") LongSupplier nanos) {
        return new StandingGrants(new TwoClocks(clock, nanos));
    }

    @Bean
    static SealedColumn sealedSigningKeys() {
        return JdbcSigningKeys.SEALED;
    }

    @Bean
    JdbcSigningKeys signingKeys(Writer writer, Readers readers, Seal seal, Clock clock) {
        return JdbcSigningKeys.load(writer, readers, seal, clock);
    }

    @Bean
    TaskTokens taskTokens(JdbcSigningKeys keys, GrantSettings settings, StandingGrants standing) {
        return new SignedTaskTokens(keys, settings.issuer(), standing::parentOf);
    }

    @Bean
    JdbcGrants grants(Writer writer, Readers readers, TaskTokens tokens, Locks locks, StandingGrants standing) {
        return new JdbcGrants(writer, readers, tokens, locks, standing);
    }

    @Bean
    ExpirySweep expirySweep(JdbcGrants grants) {
        return new ExpirySweep(grants);
    }
}
