package io.sallyport.credential.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sallyport.credential.aws.PublishedVectors.Vector;
import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.jce.ECNamedCurveTable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** PX-07: every vector that AWS publishes, in header and query form. */
class PublishedVectorsTest {

    private static final Optional<PublishedVectors> VECTORS = PublishedVectors.find();

    private static List<Vector> of(String suite) {
        assumeTrue(VECTORS.isPresent(), "AWS's published vectors are not here; the project's own stand in SignerTest");
        List<Vector> vectors = VECTORS.orElseThrow().of(suite);
        assertThat(vectors).as(suite).hasSize(38);
        return vectors;
    }

    @Test
    void version_4_signs_each_request_in_its_head_as_published() {
        for (Vector vector : of("v4")) {
            Signer.Signed signed =
                    vector.signer(Algorithm.HMAC).inHead(vector.key(), vector.at(), vector.request(true));
            same(vector, "header", signed);
            assertThat(signed.signature()).as(vector.toString()).isEqualTo(vector.text("header-signature.txt"));
            String expected = vector.exactly("header-signed-request.txt");
            assertThat(expected)
                    .as(vector.toString())
                    .contains("\nAuthorization:"
                            + signed.fields().first("Authorization").orElseThrow() + "\n")
                    .contains("\nX-Amz-Date:"
                            + signed.fields().first("X-Amz-Date").orElseThrow() + "\n");
        }
    }

    @Test
    void version_4_signs_each_request_in_its_query_as_published() {
        for (Vector vector : of("v4")) {
            Signer.Signed signed = vector.signer(Algorithm.HMAC)
                    .inQuery(vector.key(), vector.at(), vector.lifetime(), vector.request(false));
            same(vector, "query", signed);
            assertThat(signed.signature()).as(vector.toString()).isEqualTo(vector.text("query-signature.txt"));
            if (!vector.context().path("omit_session_token").asBoolean(false)) {
                assertThat(parameters(signed.target().query()))
                        .as(vector.toString())
                        .isEqualTo(parameters(query(vector.exactly("query-signed-request.txt"))));
            }
        }
    }

    /** An ECDSA signature is another one each time: ours has to be valid for the published key, and theirs for ours. */
    @Test
    void version_4a_derives_the_published_key_and_signs_each_head_validly() throws Exception {
        for (Vector vector : of("v4a")) {
            Signer.Signed signed =
                    vector.signer(Algorithm.ECDSA).inHead(vector.key(), vector.at(), vector.request(true));
            same(vector, "header", signed);
            valid(vector, signed, vector.text("header-signature.txt"));
        }
    }

    @Test
    void version_4a_signs_each_request_in_its_query_validly() throws Exception {
        for (Vector vector : of("v4a")) {
            Signer.Signed signed = vector.signer(Algorithm.ECDSA)
                    .inQuery(vector.key(), vector.at(), vector.lifetime(), vector.request(false));
            same(vector, "query", signed);
            valid(vector, signed, vector.text("query-signature.txt"));
        }
    }

    private static void same(Vector vector, String form, Signer.Signed signed) {
        assertThat(signed.canonicalRequest())
                .as("%s, %s: canonical request", vector, form)
                .isEqualTo(vector.text(form + "-canonical-request.txt"));
        assertThat(signed.stringToSign())
                .as("%s, %s: string to sign", vector, form)
                .isEqualTo(vector.text(form + "-string-to-sign.txt"));
    }

    private static void valid(Vector vector, Signer.Signed signed, String published) throws Exception {
        EcdsaKey derived = EcdsaKey.derive(vector.key());
        var expected = new PublishedKey(vector);
        var point = (ECPublicKey) derived.publicKey();
        assertThat(point.getW().getAffineX().toString(16)).as("%s: X", vector).isEqualTo(expected.x());
        assertThat(point.getW().getAffineY().toString(16)).as("%s: Y", vector).isEqualTo(expected.y());
        assertThat(expected.onTheCurve()).isTrue();
        assertThat(derived.verifies(signed.stringToSign(), signed.signature()))
                .as("%s: ours", vector)
                .isTrue();
        assertThat(derived.verifies(signed.stringToSign(), published))
                .as("%s: theirs", vector)
                .isTrue();
        assertThat(derived.verifies(signed.stringToSign() + " ", published))
                .as("%s: theirs over something else", vector)
                .isFalse();
    }

    private record PublishedKey(Vector vector) {

        private String read(String name) {
            var key = JsonMapper.shared().readTree(vector.text("public-key.json"));
            return new BigInteger(key.path(name).asString(), 16).toString(16);
        }

        String x() {
            return read("X");
        }

        String y() {
            return read("Y");
        }

        boolean onTheCurve() {
            return ECNamedCurveTable.getParameterSpec("secp256r1")
                    .getCurve()
                    .createPoint(new BigInteger(x(), 16), new BigInteger(y(), 16))
                    .isValid();
        }
    }

    private static String query(String request) {
        String line = request.lines().findFirst().orElseThrow();
        return line.substring(line.indexOf('?') + 1, line.lastIndexOf(' '));
    }

    private static Set<String> parameters(String query) {
        return new HashSet<>(List.of(query.split("&")));
    }
}
