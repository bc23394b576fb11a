package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Signature Version 4 as the receiver sees it, for requests to {@code /} without a query: written anew, to be nobody's echo. */
final class AwsSignature {

    private static final Pattern AUTHORIZATION = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=([A-Z0-9]+)/(\\d{8})/([a-z0-9-]+)/([a-z]+)/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})");

    private AwsSignature() {}

    /** Null for a request that is not signed. */
    static @Nullable String keyId(TestOrigin.Received request) {
        Matcher matcher = matcher(request);
        return matcher.matches() ? matcher.group(1) : null;
    }

    private static Matcher matcher(TestOrigin.Received request) {
        return AUTHORIZATION.matcher(
                request.field("Authorization").stream().findFirst().orElse(""));
    }

    static Instant time(TestOrigin.Received request) {
        return LocalDateTime.parse(
                        request.field("X-Amz-Date").getFirst(), DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'"))
                .toInstant(ZoneOffset.UTC);
    }

    static boolean verifies(TestOrigin.Received request, String secret, String service) {
        Matcher said = matcher(request);
        if (!said.matches() || !said.group(4).equals(service)) {
            return false;
        }
        StringBuilder canonical = new StringBuilder("POST\n/\n\n");
        boolean host = false;
        for (String name : said.group(5).split(";")) {
            host |= name.equals("host");
            canonical
                    .append(name)
                    .append(':')
                    .append(String.join(",", request.field(name)))
                    .append('\n');
        }
        canonical.append('\n').append(said.group(5)).append('\n').append(sha256(request.content()));
        String date = request.field("X-Amz-Date").getFirst();
        String scope = said.group(2) + "/" + said.group(3) + "/" + service + "/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + date + "\n" + scope + "\n"
                + sha256(canonical.toString().getBytes(UTF_8));
        byte[] key = ("AWS4" + secret).getBytes(UTF_8);
        for (String step : scope.split("/")) {
            key = hmac(key, step);
        }
        return host
                && date.startsWith(said.group(2))
                && HexFormat.of().formatHex(hmac(key, toSign)).equals(said.group(6));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
