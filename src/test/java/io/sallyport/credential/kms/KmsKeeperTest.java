package io.sallyport.credential.kms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.credential.KmsSettings;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.net.Cidr;
import io.sallyport.net.TestGuard;
import io.sallyport.store.KeyKeeper;
import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The database's key, wrapped by AWS KMS. The stand-in speaks its JSON protocol (AWS JSON 1.1: {@code X-Amz-Target}, errors by
 * {@code __type}) and holds each ciphertext to the key and the encryption context that it was made with; it does not verify signatures.
 */
class KmsKeeperTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final TestCertificates CA = TestCertificates.authority();
    private static final String KEY = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

    @TempDir
    Path folder;

    private final TestOrigin kms = TestOrigin.tls(CA.issue("kms.up.test"), this::answer);
    private final Map<String, String> made = new HashMap<>();
    private @Nullable String error;
    private int status = 400;
    private KmsKeeper keeper;

    @BeforeEach
    void prepare() {
        keeper = keeper(List.of(range()));
    }

    private KmsKeeper keeper(List<Cidr> addresses) {
        KmsSettings settings = new KmsSettings(
                origin(kms.url("kms.up.test")),
                CA.writeRoot(folder.resolve("root.pem")),
                addresses,
                "AKIAIOSFODNN7EXAMPLE",
                "env:SALLYPORT_SECRET_KMS");
        return new KmsKeeper(
                settings,
                TestGuard.exchange(),
                new SecretFolder(folder),
                name -> name.equals("SALLYPORT_SECRET_KMS") ? SECRET : null);
    }

    private static Cidr range() {
        return Cidr.parse("127.0.0.0/8") instanceof Parsed.Valid<Cidr>(Cidr range) ? range : null;
    }

    private static Origin origin(String url) {
        return Origin.parse(url) instanceof Parsed.Valid<Origin>(Origin origin) ? origin : null;
    }

    @AfterEach
    void close() {
        kms.close();
    }

    private void answer(TestOrigin.Received request, OutputStream out) throws IOException {
        JsonNode asked = JSON.readTree(request.content());
        String context = asked.path("KeyId").asString() + asked.path("EncryptionContext");
        if (error != null) {
            reply(out, status, Map.of("__type", error, "message", "about " + request.text()));
        } else if (request.field("X-Amz-Target").contains("TrentService.GenerateDataKey")) {
            byte[] plain = new byte[32];
            new java.util.Random(made.size() + 7L).nextBytes(plain);
            String cipher =
                    Base64.getEncoder().encodeToString(("cipher-" + made.size()).getBytes(StandardCharsets.US_ASCII));
            made.put(cipher + context, Base64.getEncoder().encodeToString(plain));
            reply(out, 200, Map.of("KeyId", KEY, "CiphertextBlob", cipher, "Plaintext", made.get(cipher + context)));
        } else {
            String plain = made.get(asked.path("CiphertextBlob").asString() + context);
            if (plain == null) {
                reply(out, 400, Map.of("__type", "InvalidCiphertextException"));
            } else {
                reply(out, 200, Map.of("KeyId", KEY, "Plaintext", plain));
            }
        }
    }

    private static void reply(OutputStream out, int status, Map<String, String> body) throws IOException {
        byte[] content = JSON.writeValueAsBytes(body);
        String head = "HTTP/1.1 " + status + " Said\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: "
                + content.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(content);
        out.flush();
    }

    @Test
    void a_key_that_was_wrapped_opens_again_under_the_purpose_as_encryption_context() {
        KeyKeeper.Made one = keeper.make(KEY);

        assertThat(one.plain()).hasSize(32);
        assertThat(keeper.open(KEY, one.wrapped())).isEqualTo(one.plain());
        assertThat(kms.received()).allSatisfy(request -> {
            JsonNode asked = JSON.readTree(request.content());
            assertThat(asked.path("KeyId").asString()).isEqualTo(KEY);
            assertThat(asked.path("EncryptionContext").path("sallyport").asString())
                    .isEqualTo("seal v1");
            assertThat(request.field("Authorization"))
                    .singleElement()
                    .asString()
                    .startsWith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/")
                    .contains("/eu-central-1/kms/aws4_request");
            assertThat(request.head()).doesNotContain(SECRET);
        });
    }

    @Test
    void what_another_key_or_purpose_encrypted_does_not_open() {
        byte[] foreign = "cipher-of-another".getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> keeper.open(KEY, foreign))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining("not wrapped by that key for this purpose");
    }

    @ParameterizedTest
    @CsvSource({
        "AccessDeniedException, 400, kms:Decrypt",
        "NotFoundException, 400, no such key",
        "DisabledException, 400, disabled",
        "KMSInvalidStateException, 400, not usable",
        "UnrecognizedClientException, 400, does not know the access key",
        "ThrottlingException, 400, can't answer at the moment",
        "KMSInternalException, 500, can't answer at the moment",
    })
    void its_errors_are_sentences_that_repeat_nothing(String type, int code, String sentence) {
        error = type;
        status = code;

        assertThatThrownBy(() -> keeper.open(KEY, new byte[] {1, 2, 3}))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining("aws-kms:" + KEY + " (sallyport.key)")
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("about ")
                .hasNoCause();
        assertThat(kms.received()).hasSize(1);
    }

    @Test
    void without_an_answer_a_permitted_address_or_a_key_it_says_so() {
        assertThatThrownBy(() -> keeper(List.of()).make(KEY)).hasMessageContaining("gave no answer");
        assertThat(kms.received()).isEmpty();
        assertThatThrownBy(() -> keeper.make("alias/mine")).hasMessageContaining("aws-kms:ARN");
        KmsKeeper bare =
                new KmsKeeper(KmsSettings.none(), TestGuard.exchange(), new SecretFolder(folder), name -> null);
        assertThatThrownBy(() -> bare.make(KEY)).hasMessageContaining("sallyport.kms.access-key-id");
    }
}
