package io.sallyport.admin;

import io.sallyport.admin.api.KnownParameters;
import io.sallyport.credential.HeldSecrets;
import io.sallyport.credential.Leases;
import io.sallyport.credential.LocalSecrets;
import io.sallyport.credential.Places;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListeners;
import io.sallyport.ledger.Ledger;
import io.sallyport.revocation.Revocations;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Readers;
import io.sallyport.store.Resealing;
import io.sallyport.store.Writer;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The room's beans; its controllers are found by Spring. */
@Configuration(proxyBeanMethods = false)
class AdminWiring implements WebMvcConfigurer {

    @Bean
    OperatorTokens operatorTokens(AdminSettings settings, Writer writer, Readers readers, Ledger ledger) {
        return OperatorTokens.open(
                new OperatorTokenHash(writer, readers, ledger), new OperatorTokenFile(settings.data()));
    }

    @Bean
    @Order(10)
    SecurityFilterChain operatorApiSecurity(HttpSecurity http, OperatorTokens tokens) throws Exception {
        return OperatorSecurity.api(http, tokens);
    }

    @Bean
    @Order(20)
    SecurityFilterChain consoleSecurity(HttpSecurity http, OperatorTokens tokens, Deeds deeds, Clock clock)
            throws Exception {
        return OperatorSecurity.console(http, tokens, new SignIn(tokens, new SignInThrottle(clock), deeds));
    }

    @Bean
    Deeds deeds(Writer writer, Ledger ledger) {
        return new Deeds(writer, ledger);
    }

    @Bean
    Tasks tasks(Grants grants, TaskListeners listeners, Clock clock) {
        return new Tasks(grants, listeners::of, clock);
    }

    @Bean
    TaskHistory taskHistory(Ledger ledger, Clock clock) {
        return new TaskHistory(ledger, clock);
    }

    @Bean
    Rules rules(RuleBooks books, Deeds deeds, Clock clock) {
        return new Rules(books, deeds, clock);
    }

    @Bean
    Secrets secrets(RuleBooks books, LocalSecrets local, Writer writer, Ledger ledger) {
        return new Secrets(books, local, writer, ledger);
    }

    @Bean
    Confirmations confirmations(RuleBooks books, Places places, Writer writer, Ledger ledger) {
        return new Confirmations(books, places, writer, ledger);
    }

    @Bean
    Trials trials(RuleBooks books, HeldSecrets secrets, Deeds deeds) {
        return new Trials(books, secrets, deeds);
    }

    @Bean
    RollOvers rollOvers(Authorities authorities, Writer writer, Ledger ledger) {
        return new RollOvers(authorities, writer, ledger);
    }

    @Bean
    SealRotation sealRotation(Resealing resealing, Writer writer, Ledger ledger) {
        return new SealRotation(resealing, writer, ledger);
    }

    @Bean
    BrokerMetrics brokerMetrics(Grants grants, Ledger ledger, Revocations revocations, RuleBooks books, Writer writer) {
        return new BrokerMetrics(grants, ledger, revocations, books, writer);
    }

    @Bean
    SecretMetrics secretMetrics(HeldSecrets secrets) {
        return new SecretMetrics(secrets);
    }

    @Bean
    RulesHealth rulesHealthIndicator(RuleBooks books) {
        return new RulesHealth(books);
    }

    @Bean
    CredentialsHealth credentialsHealthIndicator(RuleBooks books, Leases leases) {
        return new CredentialsHealth(() -> books.current().credentials().values(), leases);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new KnownParameters()).addPathPatterns("/api/v1/**");
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/console/assets/**")
                .addResourceLocations(
                        "classpath:/console/assets/", "classpath:/META-INF/resources/webjars/htmx.org/2.0.10/dist/");
    }
}
