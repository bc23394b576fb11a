package io.sallyport.credential.kms;

import io.sallyport.credential.KmsSettings;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.net.AwsClients;
import io.sallyport.net.AwsPlace;
import io.sallyport.net.GuardedExchange;
import io.sallyport.store.KeyKeeper;
import io.sallyport.store.StoreFault;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DataKeySpec;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;

/**
 * Wraps the database's key with one of AWS KMS. The purpose goes along as the encryption context, so that what was encrypted there for
 * anything else does not open as a key; it stands in CloudTrail with each use.
 */
public final class KmsKeeper implements KeyKeeper {

    private static final Map<String, String> PURPOSE = Map.of("sallyport", "seal v1");
    private static final Duration CALL = Duration.ofSeconds(10);

    /** A key or an alias; the region is in it, so that no setting can contradict. */
    private static final Pattern ARN =
            Pattern.compile("arn:aws[a-z-]*:kms:([a-z0-9-]+):\\d{12}:(key|alias)/[A-Za-z0-9/_-]+");

    private final KmsSettings settings;
    private final GuardedExchange exchange;
    private final SecretFolder files;
    private final UnaryOperator<@Nullable String> environment;

    public KmsKeeper(
            KmsSettings settings,
            GuardedExchange exchange,
            SecretFolder files,
            UnaryOperator<@Nullable String> environment) {
        this.settings = settings;
        this.exchange = exchange;
        this.files = files;
        this.environment = environment;
    }

    @Override
    public String kind() {
        return "aws-kms";
    }

    @Override
    public Made make(String key) {
        GenerateDataKeyResponse made = asked(
                key,
                kms -> kms.generateDataKey(request ->
                        request.keyId(key).keySpec(DataKeySpec.AES_256).encryptionContext(PURPOSE)));
        return new Made(made.plaintext().asByteArray(), made.ciphertextBlob().asByteArray());
    }

    @Override
    public byte[] open(String key, byte[] wrapped) {
        return asked(
                        key,
                        kms -> kms.decrypt(request -> request.keyId(key)
                                .ciphertextBlob(SdkBytes.fromByteArray(wrapped))
                                .encryptionContext(PURPOSE)))
                .plaintext()
                .asByteArray();
    }

    private <T> T asked(String key, Function<KmsClient, T> question) {
        Matcher arn = ARN.matcher(key);
        if (!arn.matches()) {
            throw new StoreFault(
                    "sallyport.key is aws-kms:ARN, as in aws-kms:arn:aws:kms:eu-central-1:111122223333:key/…");
        }
        try {
            AwsPlace place = new AwsPlace(arn.group(1), settings.endpoint(), settings.trust(), settings.addresses());
            try (KmsClient client = new AwsClients(exchange, place, CALL)
                    .client(KmsClient.builder(), "kms", StaticCredentialsProvider.create(credentials()))) {
                return question.apply(client);
            }
        } catch (AwsServiceException e) {
            throw refusal(key, told(e));
        } catch (SdkException e) {
            // Its message may quote what was sent or came.
            throw refusal(key, "KMS gave no answer (" + e.getClass().getSimpleName() + ")");
        } catch (SourceFault fault) {
            throw refusal(key, "sallyport.kms.secret-access-key: " + fault.cause());
        } catch (IllegalArgumentException e) {
            throw refusal(key, String.valueOf(e.getMessage()));
        }
    }

    private AwsBasicCredentials credentials() throws SourceFault {
        String place = settings.secretAccessKey();
        String id = settings.accessKeyId();
        if (place == null || id == null) {
            throw SourceFault.missing("is not set, nor is sallyport.kms.access-key-id");
        }
        String name = place.substring(place.indexOf(':') + 1);
        String secret = place.startsWith("file:") ? files.text(name) : environment.apply(name);
        if (secret == null || secret.isBlank()) {
            throw SourceFault.missing("the environment has no " + name);
        }
        return AwsBasicCredentials.create(id, secret.strip());
    }

    /** By the error's name; its words may be anything. */
    private static String told(AwsServiceException e) {
        String code = e.awsErrorDetails() == null
                ? ""
                : String.valueOf(e.awsErrorDetails().errorCode());
        return switch (code) {
            case "AccessDeniedException" ->
                "KMS refuses it: the key's policy and the broker's have to allow kms:GenerateDataKey and kms:Decrypt on it";
            case "NotFoundException" -> "KMS has no such key in that account and region";
            case "DisabledException", "KMSInvalidStateException" ->
                "the key is disabled, is to be deleted, or is otherwise not usable at the moment";
            case "InvalidCiphertextException", "IncorrectKeyException" ->
                "what rests in the database was not wrapped by that key for this purpose";
            case "UnrecognizedClientException",
                    "InvalidSignatureException",
                    "IncompleteSignatureException",
                    "InvalidClientTokenId",
                    "ExpiredTokenException" -> "KMS does not know the access key, or its secret is another";
            default ->
                e.statusCode() >= 500 || code.contains("Throttling") || code.equals("DependencyTimeoutException")
                        ? "KMS can't answer at the moment (" + e.statusCode() + ")"
                        : "KMS refuses it (" + e.statusCode() + ")";
        };
    }

    private static StoreFault refusal(String key, String cause) {
        return new StoreFault("The database's key can't be had from aws-kms:" + key + " (sallyport.key): " + cause
                + ". Start again when that is put right");
    }
}
