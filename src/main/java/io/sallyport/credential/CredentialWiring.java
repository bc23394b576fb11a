package io.sallyport.credential;

import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskTokens;
import io.sallyport.net.GuardedExchange;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class CredentialWiring {

    private static final int READING_THREADS = 2;

    @Bean
    SecretFolder secretFolder(CredentialSettings settings) throws IOException {
        SecretFolder folder = new SecretFolder(settings.secrets());
        Path open = folder.openToOthers();
        if (open != null) {
            throw new IllegalStateException("sallyport.secrets: " + open
                    + " can be read or written by other users of this machine; take that from them with: chmod o-rwx "
                    + open);
        }
        return folder;
    }

    @Bean
    JdbcLocalSecrets localSecrets(Readers readers, Seal seal, Clock clock) {
        return new JdbcLocalSecrets(readers, seal, clock);
    }

    @Bean
    SourceTools sourceTools(SecretFolder folder, JdbcLocalSecrets local, GuardedExchange client, Clock clock) {
        return new SourceTools(local, folder, System::getenv, client, clock);
    }

    @Bean
    WarmSecrets warmSecrets(SourceTools tools, JdbcLocalSecrets local, LongSupplier nanos) {
        WarmSecrets warm = new WarmSecrets(tools, readers(), nanos);
        local.onPut(warm::doubt);
        return warm;
    }

    /** Not a bean: it would take the place of the executor that Spring Boot makes where there is none. Its idle threads end by themselves. */
    private static Executor readers() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                READING_THREADS,
                READING_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("secret-reader-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @Bean
    TokenMarks tokenMarks(TaskTokens tokens) {
        return new TokenMarks(tokens);
    }

    @Bean
    CredentialLeases leases(WarmSecrets warm, Grants grants) {
        return new CredentialLeases(warm, grants);
    }
}
