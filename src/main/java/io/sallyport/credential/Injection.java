package io.sallyport.credential;

import io.sallyport.credential.source.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** How a secret is shown to a destination: in one header field of a request, or as what the connection itself proves. */
sealed interface Injection {

    /** RFC 6750 section 2.1. */
    record Bearer() implements Injection {}

    /** RFC 7617. @param user without a colon */
    record Basic(String user) implements Injection {}

    /** @param name a field name; @param before and @param after what stands around the secret, either may be empty */
    record Header(String name, String before, String after) implements Injection {}

    /** A chain and its key, in the TLS handshake (RFC 8446 section 4.4.2). It stands in no field. */
    record ClientCertificate() implements Injection {}

    /** No name of a field: one request has one connection, which can prove one thing. */
    String CONNECTION = "tls:client-certificate";

    /** The field's name, as it is sent; {@link #CONNECTION} for none. */
    default String field() {
        return switch (this) {
            case Bearer() -> "Authorization";
            case Basic(var user) -> "Authorization";
            case Header(String name, var before, var after) -> name;
            case ClientCertificate() -> CONNECTION;
        };
    }

    /** The field's value. The caller zeroes it. */
    default byte[] value(SecretValue secret) {
        return switch (this) {
            case Bearer() -> joined("Bearer ", secret.bytes(), "");
            case Basic(String user) -> {
                byte[] pair = pair(user, secret);
                byte[] encoded = Base64.getEncoder().encode(pair);
                byte[] value = joined("Basic ", encoded, "");
                Arrays.fill(pair, (byte) 0);
                Arrays.fill(encoded, (byte) 0);
                yield value;
            }
            case Header(var name, String before, String after) -> joined(before, secret.bytes(), after);
            case ClientCertificate() -> new byte[0];
        };
    }

    /** The shapes in which an upstream that saw this field may echo the secret. */
    default List<Shape> shapes(SecretValue secret) {
        return switch (this) {
            case Basic(String user) -> {
                byte[] pair = pair(user, secret);
                List<Shape> shapes = SecretShapes.ofBasic(secret.bytes(), pair);
                Arrays.fill(pair, (byte) 0);
                yield shapes;
            }
            case Bearer b -> SecretShapes.of(secret.bytes());
            case Header h -> SecretShapes.of(secret.bytes());
            // The key never leaves: a destination that never saw it can't echo it.
            case ClientCertificate c -> List.of();
        };
    }

    private static byte[] pair(String user, SecretValue secret) {
        return joined(user + ":", secret.bytes(), "");
    }

    private static byte[] joined(String before, byte[] middle, String after) {
        byte[] first = before.getBytes(StandardCharsets.ISO_8859_1);
        byte[] last = after.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(first, first.length + middle.length + last.length);
        System.arraycopy(middle, 0, all, first.length, middle.length);
        System.arraycopy(last, 0, all, first.length + middle.length, last.length);
        return all;
    }
}
