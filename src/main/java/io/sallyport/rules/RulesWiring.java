package io.sallyport.rules;

import io.sallyport.identity.Verifiers;
import io.sallyport.store.Readers;
import io.sallyport.store.Writer;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The room's one bean; making it reads the documents, and refuses to start on bad ones. */
@Configuration(proxyBeanMethods = false)
class RulesWiring {

    @Bean
    RuleBooks ruleBooks(RulesSettings settings, Verifiers verifiers, Documents documents) {
        return new LoadedRuleBooks(settings.rules(), new BookCompiler(settings, verifiers::over), documents);
    }

    @Bean
    Documents documents(Writer writer, Readers readers, Clock clock) {
        return new JdbcDocuments(writer, readers, clock);
    }
}
