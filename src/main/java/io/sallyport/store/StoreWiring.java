package io.sallyport.store;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The store's beans; the store closes them in its own order. */
@Configuration(proxyBeanMethods = false)
class StoreWiring {

    @Bean(destroyMethod = "close")
    SqliteStore sqliteStore(StoreSettings settings) {
        return SqliteStore.openFile(settings.file());
    }

    @Bean(destroyMethod = "")
    Writer writer(SqliteStore store) {
        return store.writer();
    }

    @Bean(destroyMethod = "")
    Readers readers(SqliteStore store) {
        return store.readers();
    }

    @Bean
    Seal seal(SqliteStore store, StoreSettings settings, ObjectProvider<KeyKeeper> keepers) {
        return store.seal(KeyPlace.of(settings.key()), keepers.orderedStream().toList());
    }

    @Bean
    HealthIndicator storeHealthIndicator(Writer writer) {
        return () -> (writer.healthy() ? Health.up() : Health.down()).build();
    }
}
