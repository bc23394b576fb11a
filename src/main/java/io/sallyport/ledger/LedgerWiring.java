package io.sallyport.ledger;

import io.sallyport.store.SqliteStore;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ledger's bean: whoever has it, has it after the start was recorded and what was left open was closed. */
@Configuration(proxyBeanMethods = false)
class LedgerWiring {

    @Bean
    Ledger ledger(SqliteStore store, Clock clock, BookDigest book, LedgerSettings settings) {
        return Ledger.start(store, clock, book, settings);
    }
}
