package io.sallyport.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListeners;
import io.sallyport.grant.TaskTokens;
import io.sallyport.ledger.Ledger;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The room's beans; its controllers are found by Spring. */
@Configuration(proxyBeanMethods = false)
class ExchangeWiring {

    @Bean
    TokenExchange.Rooms exchangeRooms(
            RuleBooks rules, Grants grants, TaskTokens tokens, TaskListeners listeners, Ledger ledger, Writer writer) {
        return new TokenExchange.Rooms(rules, grants, tokens, listeners, ledger, writer);
    }

    @Bean
    TokenExchange tokenExchange(TokenExchange.Rooms rooms, Clock clock, ExchangeSettings settings) {
        return new TokenExchange(rooms, clock, settings);
    }

    @Bean
    Introspection introspection(TokenExchange.Rooms rooms, ExchangeSettings settings) {
        return new Introspection(rooms, settings);
    }

    @Bean
    AgentDoor agentDoor(Ledger ledger, Writer writer, @Qualifier("nanos") LongSupplier nanos, MeterRegistry meters) {
        return new AgentDoor(new Refusals(ledger, writer, nanos, meters));
    }
}
