package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sallyport.credential.injection.Hmac.HmacText.Encoding;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Keys and signatures as text, and back. */
final class HmacCodec {

    private HmacCodec() {}

    static byte[] encoded(byte[] bytes, Encoding encoding) {
        return switch (encoding) {
            case TEXT -> bytes.clone();
            case HEX -> HexFormat.of().formatHex(bytes).getBytes(US_ASCII);
            case BASE64 -> Base64.getEncoder().encode(bytes);
            case BASE64URL -> Base64.getUrlEncoder().withoutPadding().encode(bytes);
        };
    }

    /** Null for what is not in this encoding. */
    static byte @Nullable [] decoded(byte[] text, Encoding encoding) {
        try {
            return switch (encoding) {
                case TEXT -> text.clone();
                case HEX -> HexFormat.of().parseHex(new String(text, ISO_8859_1));
                case BASE64 -> Base64.getDecoder().decode(text);
                case BASE64URL -> Base64.getUrlDecoder().decode(text);
            };
        } catch (IllegalArgumentException other) {
            return null;
        }
    }
}
