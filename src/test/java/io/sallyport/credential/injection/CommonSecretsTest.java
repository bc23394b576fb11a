package io.sallyport.credential.injection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-73. */
class CommonSecretsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000",
                "abababababab",
                "password",
                "Password1!",
                "PASSW0RD",
                "changeme123",
                "Secret!!",
                "12345678",
                "987654321",
                "abcdefgh",
                "qwertyuiop",
                "poiuytrewq",
                "1q2w3e4r",
                "administrator",
                "your-api-key",
                "--------------------",
                "test1234"
            })
    void what_many_have_is_no_secret(String common) {
        String problem = CommonSecrets.problem(common.getBytes(StandardCharsets.US_ASCII));

        assertThat(problem).isNotNull().doesNotContain(common);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3cr3t!8",
                "sk-live-0123",
                "ghp_A1b2C3d4E5f6G7h8I9j0",
                "correct horse battery",
                "passwordless-x9",
                "hunter2-k",
                "AKIAIOSFODNN7EXAMPLE",
                "the-first-secret",
                "secret-of-acme"
            })
    void what_is_no_ones_else_is_one(String own) {
        assertThat(CommonSecrets.problem(own.getBytes(StandardCharsets.US_ASCII)))
                .isNull();
    }
}
