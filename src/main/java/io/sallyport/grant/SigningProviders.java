package io.sallyport.grant;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which provider signs and verifies task tokens: Corretto's where its native library loads (seven times faster), else the JDK's. */
final class SigningProviders {

    private static final Logger LOG = LoggerFactory.getLogger(SigningProviders.class);
    private static final @Nullable Provider FASTEST = corretto();

    private SigningProviders() {}

    /** @return null for the JDK's own choice */
    static @Nullable Provider fastest() {
        return FASTEST;
    }

    private static @Nullable Provider corretto() {
        try {
            AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
            if (provider.getLoadingError() == null) {
                return provider;
            }
            LOG.info(
                    "Corretto's crypto provider does not load here ({}); the JDK's signs",
                    provider.getLoadingError().getMessage());
        } catch (LinkageError e) {
            LOG.info("Corretto's crypto provider does not load here ({}); the JDK's signs", e.toString());
        }
        return null;
    }
}
