package io.sallyport.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The variables that lead common clients through the hop, and the trust files that they point to. Each client has a knob of its own; the
 * bundle holds the system's roots too, since some destinations may not be intercepted.
 */
final class ClientEnvironment {

    /** What stays direct: a task's own servers on its own machine. */
    static final String NO_PROXY = "localhost,127.0.0.1,::1";

    private static final String GIT_VERSION = "http.version";

    private static final String STORE_PASSWORD = "changeit";

    private final Map<String, String> variables;

    private ClientEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** @param folder null for the user's own; nothing in it is secret @param proxy as clients take it, with user and password where it asks for them */
    static ClientEnvironment write(@Nullable Path folder, String authorityPem, String proxy) {
        try {
            TrustFolder place = folder == null
                    ? TrustFolder.standing(
                            System.getenv("XDG_CACHE_HOME"), Path.of(System.getProperty("user.home")), authorityPem)
                    : TrustFolder.asked(folder);
            return new ClientEnvironment(variables(new TrustFiles(place, authorityPem), proxy));
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandFailed("can't write the trust files: " + e.getMessage(), e);
        }
    }

    Map<String, String> variables() {
        return variables;
    }

    private static Map<String, String> variables(TrustFiles files, String proxy)
            throws IOException, GeneralSecurityException {
        String bundle = files.bundle().toString();
        Map<String, String> all = new LinkedHashMap<>();
        for (String name : new String[] {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"}) {
            all.put(name, proxy);
            all.put(name.toLowerCase(java.util.Locale.ROOT), proxy);
        }
        all.put("NO_PROXY", NO_PROXY);
        all.put("no_proxy", NO_PROXY);
        for (String name : new String[] {
            "SSL_CERT_FILE",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "GIT_SSL_CAINFO",
            "AWS_CA_BUNDLE",
            "PIP_CERT",
            "CARGO_HTTP_CAINFO",
            "DENO_CERT",
            "npm_config_cafile"
        }) {
            all.put(name, bundle);
        }
        all.put("NODE_EXTRA_CA_CERTS", files.authority().toString());
        all.put("NODE_USE_ENV_PROXY", "1");
        all.put("NODE_OPTIONS", "--import=" + files.nodeImport().toUri());
        all.put("SALLYPORT_JAVA_TRUST_STORE", files.javaStore().toString());
        all.putAll(gitConfiguration(System.getenv()));
        return all;
    }

    /**
     * HTTP/1.1 for git: in HTTP/2 an older one may wait for ever in a push that is larger than its buffer, its two halves for one another.
     * Beside what the caller has set in the same way, and not where that is a version.
     */
    static Map<String, String> gitConfiguration(Map<String, String> caller) {
        String set = caller.getOrDefault("GIT_CONFIG_COUNT", "");
        int count = set.matches("[0-9]{1,4}") ? Integer.parseInt(set) : 0;
        for (int i = 0; i < count; i++) {
            if (GIT_VERSION.equalsIgnoreCase(caller.get("GIT_CONFIG_KEY_" + i))) {
                return Map.of();
            }
        }
        Map<String, String> all = new LinkedHashMap<>();
        all.put("GIT_CONFIG_COUNT", Integer.toString(count + 1));
        all.put("GIT_CONFIG_KEY_" + count, GIT_VERSION);
        all.put("GIT_CONFIG_VALUE_" + count, "HTTP/1.1");
        return all;
    }

    /** The files beside one another in one folder. */
    private record TrustFiles(TrustFolder folder, String authorityPem) {

        Path authority() throws IOException {
            return folder.write("ca.pem", authorityPem.getBytes(StandardCharsets.US_ASCII));
        }

        Path bundle() throws IOException, GeneralSecurityException {
            StringBuilder all = new StringBuilder(authorityPem);
            for (X509Certificate root : systemRoots()) {
                all.append("-----BEGIN CERTIFICATE-----\n")
                        .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(root.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
            return folder.write("ca-bundle.pem", all.toString().getBytes(StandardCharsets.US_ASCII));
        }

        Path javaStore() throws IOException, GeneralSecurityException {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int n = 0;
            for (X509Certificate root : systemRoots()) {
                store.setCertificateEntry("root-" + n++, root);
            }
            try (InputStream pem = new java.io.ByteArrayInputStream(authorityPem.getBytes(StandardCharsets.US_ASCII))) {
                // Two while the interception CA is rolled over, and all of them are to be trusted.
                for (Certificate authority :
                        CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    store.setCertificateEntry("sallyport-" + n++, authority);
                }
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            store.store(out, STORE_PASSWORD.toCharArray());
            return folder.write("ca.p12", out.toByteArray());
        }

        Path nodeImport() throws IOException {
            try (InputStream script = ClientEnvironment.class.getResourceAsStream("/cli/node-proxy.mjs")) {
                return folder.write(
                        "node-proxy.mjs",
                        java.util.Objects.requireNonNull(script).readAllBytes());
            }
        }

        private static X509Certificate[] systemRoots() throws GeneralSecurityException {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
        }
    }
}
