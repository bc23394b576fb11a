package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How a destination checks AWS Signature Version 4, written from AWS's description and apart from the code that signs: key, scope, time,
 * signed fields, signature, and what is said of the content. Throws an AssertionError for the first thing that is wrong.
 *
 * @param token of the session that the key belongs to; null for a key that belongs to none
 */
public record SigningOrigin(
        String keyId, String secret, @Nullable String token, String region, String service) {

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** What somebody on the way may change. */
    private static final List<String> NEVER_SIGNED = List.of(
            "connection",
            "expect",
            "te",
            "transfer-encoding",
            "accept-encoding",
            "user-agent",
            "x-amzn-trace-id",
            "amz-sdk-invocation-id",
            "amz-sdk-request",
            "content-length");

    /**
     * A request that was signed with the key.
     *
     * @param content as S3 would keep it: without framing
     * @param trailers of the framing
     * @param signedFields names
     */
    public record Verified(byte[] content, Map<String, String> trailers, List<String> signedFields) {}

    /** Both forms. */
    public Verified verify(TestOrigin.Received request) {
        Map<String, List<String>> query = query(request);
        return query.containsKey("X-Amz-Signature") ? inQuery(request, query) : inHead(request, query);
    }

    private Verified inHead(TestOrigin.Received request, Map<String, List<String>> query) {
        must(
                query.keySet().stream()
                        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("x-amz-")),
                "query " + query);
        String authorization = only(request, "Authorization");
        String timestamp = only(request, "X-Amz-Date");
        String scope = timestamp.substring(0, 8) + "/" + region + "/" + service + "/aws4_request";
        String start = "AWS4-HMAC-SHA256 Credential=" + keyId + "/" + scope + ", SignedHeaders=";
        must(authorization.startsWith(start), authorization + " does not begin with " + start);
        String[] rest = authorization.substring(start.length()).split(", Signature=");
        recent(timestamp);
        must(request.field("X-Amz-Security-Token").equals(token == null ? List.of() : List.of(token)), "session token");
        List<String> signed = List.of(rest[0].split(";"));
        fields(request, signed);
        String payload = service.equals("s3") ? only(request, "x-amz-content-sha256") : sha256(request.content());
        String expected = signature(request, query, signed, payload, timestamp, scope);
        must(rest[1].equals(expected), "signature " + rest[1] + " is not " + expected);
        return content(request, payload, signed, timestamp, scope, expected);
    }

    private Verified inQuery(TestOrigin.Received request, Map<String, List<String>> query) {
        must(request.field("Authorization").isEmpty(), "two signatures");
        String timestamp = query.get("X-Amz-Date").getFirst();
        String scope = timestamp.substring(0, 8) + "/" + region + "/" + service + "/aws4_request";
        must(query.get("X-Amz-Credential").equals(List.of(keyId + "/" + scope)), "credential " + query);
        must(
                query.getOrDefault("X-Amz-Security-Token", List.of())
                        .equals(token == null ? List.of() : List.of(token)),
                "session token");
        recent(timestamp);
        List<String> signed =
                List.of(query.get("X-Amz-SignedHeaders").getFirst().split(";"));
        fields(request, signed);
        String given = query.remove("X-Amz-Signature").getFirst();
        String expected = signature(request, query, signed, "UNSIGNED-PAYLOAD", timestamp, scope);
        must(given.equals(expected), "signature " + given + " is not " + expected);
        return new Verified(request.content(), Map.of(), signed);
    }

    private static void recent(String timestamp) {
        Duration off = Duration.between(Instant.from(TIMESTAMP.parse(timestamp)), Instant.now());
        must(off.abs().compareTo(Duration.ofMinutes(5)) < 0, "the time is off by " + off);
    }

    private static void fields(TestOrigin.Received request, List<String> signed) {
        must(signed.contains("host"), "Host is not signed");
        must(signed.stream().sorted().toList().equals(signed), "signed fields are not sorted");
        must(signed.stream().noneMatch(NEVER_SIGNED::contains), "signed are " + signed);
        request.head().lines().skip(1).forEach(line -> {
            String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
            must(!name.startsWith("x-amz-") || signed.contains(name), name + " is not signed");
        });
    }

    private String signature(
            TestOrigin.Received request,
            Map<String, List<String>> query,
            List<String> signed,
            String payload,
            String timestamp,
            String scope) {
        String path = request.target().split("\\?", 2)[0];
        String canonical = String.join(
                "\n",
                request.requestLine().split(" ")[0],
                service.equals("s3") ? encode(decode(path), true) : encode(path, true),
                canonical(query),
                signed.stream()
                        .map(name -> name + ":"
                                + String.join(",", request.field(name)).replaceAll(" +", " ") + "\n")
                        .collect(Collectors.joining()),
                String.join(";", signed),
                payload);
        String text = String.join("\n", "AWS4-HMAC-SHA256", timestamp, scope, sha256(canonical.getBytes(ISO_8859_1)));
        return HexFormat.of().formatHex(hmac(key(scope), text));
    }

    private byte[] key(String scope) {
        byte[] key = ("AWS4" + secret).getBytes(ISO_8859_1);
        for (String part : scope.split("/")) {
            key = hmac(key, part);
        }
        return key;
    }

    private Verified content(
            TestOrigin.Received request,
            String payload,
            List<String> signed,
            String timestamp,
            String scope,
            String seed) {
        switch (payload) {
            case "UNSIGNED-PAYLOAD" -> {
                return new Verified(request.content(), Map.of(), signed);
            }
            case "STREAMING-UNSIGNED-PAYLOAD-TRAILER" -> {
                return chunks(request, signed, null, null);
            }
            case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" -> {
                return chunks(request, signed, timestamp + "\n" + scope, seed);
            }
            default -> {
                must(payload.equals(sha256(request.content())), "content's hash " + payload);
                return new Verified(request.content(), Map.of(), signed);
            }
        }
    }

    /** @param seed null where chunks are not signed */
    private Verified chunks(
            TestOrigin.Received request, List<String> signed, @Nullable String context, @Nullable String seed) {
        must(request.field("Content-Encoding").getFirst().contains("aws-chunked"), "Content-Encoding");
        byte[] framed = request.content();
        String text = new String(framed, ISO_8859_1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        String previous = seed;
        int at = 0;
        for (int size = -1; size != 0; ) {
            int end = text.indexOf("\r\n", at);
            String[] head = text.substring(at, end).split(";chunk-signature=");
            size = Integer.parseInt(head[0], 16);
            byte[] chunk = Arrays.copyOfRange(framed, end + 2, end + 2 + size);
            if (previous != null) {
                previous = chunkSignature(context, previous, chunk, scopeKey(context));
                must(head[1].equals(previous), "a chunk's signature");
            }
            content.writeBytes(chunk);
            at = end + 2 + size + (size == 0 ? 0 : 2);
        }
        must(only(request, "x-amz-decoded-content-length").equals(Integer.toString(content.size())), "decoded length");
        Map<String, String> trailers = new LinkedHashMap<>();
        text.substring(at).lines().filter(line -> !line.isEmpty()).forEach(line -> {
            int colon = line.indexOf(':');
            trailers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        });
        request.trailers().forEach(line -> trailers.put(line.split(":")[0], line.split(":", 2)[1].strip()));
        String signature = trailers.remove("x-amz-trailer-signature");
        if (seed != null && !trailers.isEmpty()) {
            String lines = new TreeMap<>(trailers)
                    .entrySet().stream()
                            .map(it -> it.getKey() + ":" + it.getValue() + "\n")
                            .collect(Collectors.joining());
            String toSign = "AWS4-HMAC-SHA256-TRAILER\n" + context + "\n" + previous + "\n"
                    + sha256(lines.getBytes(ISO_8859_1));
            must(HexFormat.of().formatHex(hmac(scopeKey(context), toSign)).equals(signature), "trailers' signature");
        }
        must(
                new TreeSet<>(trailers.keySet()).equals(new TreeSet<>(request.field("x-amz-trailer"))),
                "trailers " + trailers.keySet());
        crc32(trailers, content.toByteArray());
        return new Verified(content.toByteArray(), trailers, signed);
    }

    private byte[] scopeKey(@Nullable String context) {
        return key(String.valueOf(context).split("\n")[1]);
    }

    private static String chunkSignature(@Nullable String context, String previous, byte[] chunk, byte[] key) {
        String text =
                String.join("\n", "AWS4-HMAC-SHA256-PAYLOAD", context, previous, sha256(new byte[0]), sha256(chunk));
        return HexFormat.of().formatHex(hmac(key, text));
    }

    private static void crc32(Map<String, String> trailers, byte[] content) {
        String given = trailers.get("x-amz-checksum-crc32");
        if (given != null) {
            CRC32 crc = new CRC32();
            crc.update(content);
            byte[] bytes = HexFormat.of().parseHex(String.format("%08x", crc.getValue()));
            must(given.equals(Base64.getEncoder().encodeToString(bytes)), "checksum " + given);
        }
    }

    /** Names and values, decoded. */
    public static Map<String, List<String>> query(TestOrigin.Received request) {
        Map<String, List<String>> query = new TreeMap<>();
        String[] parts = request.target().split("\\?", 2);
        if (parts.length > 1 && !parts[1].isEmpty()) {
            for (String part : parts[1].split("&")) {
                String[] pair = part.split("=", 2);
                query.computeIfAbsent(decode(pair[0]), name -> new ArrayList<>())
                        .add(pair.length > 1 ? decode(pair[1]) : "");
            }
        }
        return query;
    }

    private static String canonical(Map<String, List<String>> query) {
        List<String> parts = new ArrayList<>();
        query.forEach(
                (name, values) -> values.forEach(value -> parts.add(encode(name, false) + "=" + encode(value, false))));
        return parts.stream().sorted().collect(Collectors.joining("&"));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encode(String text, boolean path) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c < 128 && Character.isLetterOrDigit(c)) || "-_.~".indexOf(c) >= 0 || (path && c == '/');
            out.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return out.toString();
    }

    private static String only(TestOrigin.Received request, String name) {
        List<String> values = request.field(name);
        must(values.size() == 1, name + " is " + values);
        return values.getFirst();
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(ISO_8859_1));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void must(boolean held, String what) {
        if (!held) {
            throw new AssertionError(what);
        }
    }
}
