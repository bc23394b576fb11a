package io.sallyport.proxy.wire;

import io.sallyport.proxy.tls.Leaf;
import io.sallyport.proxy.tls.LeafCertificates;
import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Picks the leaf of a handshake by the host that its engine was made for. It only looks up: the leaf was minted before, off the loop. One
 * TLS context serves every host this way; a context for each would cost twenty times the minting.
 */
final class LeafKeys extends X509ExtendedKeyManager {

    private final LeafCertificates leaves;

    private LeafKeys(LeafCertificates leaves) {
        this.leaves = leaves;
    }

    static KeyManagerFactory factory(LeafCertificates leaves) {
        return new Factory(new LeafKeys(leaves));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        String host = engine.getPeerHost();
        if (host == null) {
            return null;
        }
        // The serial number is part of the alias: key material is cached by it, and a host's next leaf is another one.
        return leaves.cached(host)
                .filter(leaf -> leaf.key().getAlgorithm().equals(keyType))
                .map(leaf -> leaf.certificate().getSerialNumber().toString(16) + "|" + host)
                .orElse(null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return leaf(alias)
                .map(leaf -> leaf.chain().toArray(new X509Certificate[0]))
                .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return leaf(alias).map(Leaf::key).orElse(null);
    }

    private Optional<Leaf> leaf(String alias) {
        return leaves.cached(alias.substring(alias.indexOf('|') + 1));
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    private static final class Factory extends KeyManagerFactory {
        Factory(LeafKeys keys) {
            super(
                    new KeyManagerFactorySpi() {
                        @Override
                        protected void engineInit(@Nullable KeyStore store, char @Nullable [] password) {
                            // The leaves are the store.
                        }

                        @Override
                        protected void engineInit(@Nullable ManagerFactoryParameters parameters) {
                            // The leaves are the store.
                        }

                        @Override
                        protected KeyManager[] engineGetKeyManagers() {
                            return new KeyManager[] {keys};
                        }
                    },
                    null,
                    "leaves");
        }
    }
}
