package io.sallyport.credential.aws;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import io.sallyport.testing.TestOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a destination checks version 4a in the head, for the services that the vectors are of. */
public record EcdsaSignatures(String keyId, String secret, String service) {

    private static final Pattern FIELD = Pattern.compile(
            "AWS4-ECDSA-P256-SHA256 Credential=([^/]+)/(\\d{8}/[^/]+/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]+)");

    /** @param payload as it was signed @return whether the key's owner signed it */
    public boolean verify(TestOrigin.Received request, String payload) {
        Matcher field = FIELD.matcher(request.field("Authorization").getFirst());
        if (!field.matches() || !field.group(1).equals(keyId)) {
            return false;
        }
        List<Field> lines = new ArrayList<>();
        request.head()
                .lines()
                .skip(1)
                .forEach(line -> lines.add(new Field(
                        line.substring(0, line.indexOf(':')),
                        line.substring(line.indexOf(':') + 1).strip())));
        List<String> signed = List.of(field.group(3).split(";"));
        CanonicalRequest canonical = CanonicalRequest.of(
                request.requestLine().split(" ")[0],
                Target.parse(request.target()).orElseThrow(),
                Fields.of(lines),
                service.equals("s3") ? PathStyle.OPAQUE : PathStyle.USUAL,
                signed::contains,
                payload);
        String timestamp = request.field("X-Amz-Date").getFirst();
        String text =
                String.join("\n", "AWS4-ECDSA-P256-SHA256", timestamp, field.group(2), Sha256.hex(canonical.text()));
        AccessKey key = new AccessKey(keyId, secret.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), null);
        return canonical.signedNames().equals(field.group(3))
                && EcdsaKey.derive(key).verifies(text, field.group(4));
    }
}
