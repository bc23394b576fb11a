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

    /** Each room names what it keeps sealed; all of it is known before the first of them opens anything. */
    @Bean
    Resealing resealing(
            SqliteStore store,
            StoreSettings settings,
            ObjectProvider<KeyKeeper> keepers,
            ObjectProvider<SealedColumn> columns) {
        return store.keys(
                settings.keyPlace(),
                settings.previousKeyPlaces(),
                keepers.orderedStream().toList(),
                columns.orderedStream().toList());
    }

    @Bean
    Seal seal(Resealing resealing) {
        return resealing.seal();
    }

    @Bean
    HealthIndicator storeHealthIndicator(Writer writer) {
        return () -> (writer.healthy() ? Health.up() : Health.down()).build();
    }
}
