package io.sallyport.identity;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which provider makes and checks signatures on elliptic curves: Corretto's where its native library loads (seven times faster), else the JDK's. */
public final class SignatureProvider {

    private static final Logger LOG = LoggerFactory.getLogger(SignatureProvider.class);
    private static final @Nullable Provider FASTEST = corretto();

    private SignatureProvider() {}

    /** @return null for the JDK's own choice */
    public static @Nullable Provider fastest() {
        return FASTEST;
    }

    private static @Nullable Provider corretto() {
        try {
            AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
            if (provider.getLoadingError() == null) {
                return provider;
            }
            LOG.info(
                    "Corretto's crypto provider does not load here ({}); the JDK's is used",
                    provider.getLoadingError().getMessage());
        } catch (LinkageError e) {
            LOG.info("Corretto's crypto provider does not load here ({}); the JDK's is used", e.toString());
        }
        return null;
    }
}
