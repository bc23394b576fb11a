package io.sallyport.credential.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.SdkSigner;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/** PX-08: an upload's chunks are verified, each before it leaves, and leave with signatures of the real key. */
class ChunkResignerTest {

    private static final AccessKey DUMMY = key("AKIAPLACEHOLDER00000", "placeholder");
    private static final AccessKey REAL = key("AKIAREAL000000000000", "the real secret");
    private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");
    private static final CredentialScope THEIR_SCOPE = CredentialScope.at(AT, "us-east-1", "s3");
    private static final CredentialScope OUR_SCOPE = CredentialScope.at(AT.plusSeconds(7), "eu-central-1", "s3");
    private static final Set<String> CRC = Set.of("x-amz-checksum-crc32");

    private static AccessKey key(String id, String secret) {
        return new AccessKey(id, secret.getBytes(StandardCharsets.US_ASCII), null);
    }

    private static ChunkChain chain(Algorithm algorithm, AccessKey key, CredentialScope scope, String seed) {
        return new ChunkChain(SigningKey.derive(algorithm, key, scope), scope, seed);
    }

    /** The example of S3's documentation: 65 KiB in chunks of 64 KiB and of 1 KiB. */
    @Test
    void a_chain_of_chunks_is_signed_as_published() {
        AccessKey example = key("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        ChunkChain chain = chain(
                Algorithm.HMAC,
                example,
                CredentialScope.at(Instant.parse("2013-05-24T00:00:00Z"), "us-east-1", "s3"),
                "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
        byte[] first = new byte[65536];
        byte[] second = new byte[1024];
        Arrays.fill(first, (byte) 'a');
        Arrays.fill(second, (byte) 'a');
        assertThat(chain.sign(first)).isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
        assertThat(chain.sign(second)).isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
        assertThat(chain.sign(new byte[0]))
                .isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
    }

    /** What the chunks of an upload are, made here from their parts. */
    private record Upload(Algorithm algorithm, int size, int chunk, Set<String> trailers) {

        byte[] content() {
            byte[] content = new byte[size];
            new Random(size).nextBytes(content);
            return content;
        }

        byte[] signed() {
            ChunkChain chain = chain(algorithm, DUMMY, THEIR_SCOPE, "seed");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] content = content();
            for (int at = 0; at < size; at += chunk) {
                byte[] piece = Arrays.copyOfRange(content, at, Math.min(size, at + chunk));
                text(out, Integer.toHexString(piece.length) + ";chunk-signature=" + chain.sign(piece) + "\r\n");
                out.writeBytes(piece);
                text(out, "\r\n");
            }
            text(out, "0;chunk-signature=" + chain.sign(new byte[0]) + "\r\n");
            if (!trailers.isEmpty()) {
                text(
                        out,
                        "x-amz-checksum-crc32:AAAAAA==\r\nx-amz-trailer-signature:"
                                + chain.signTrailers("x-amz-checksum-crc32:AAAAAA==\n") + "\r\n");
            }
            text(out, "\r\n");
            return out.toByteArray();
        }

        ChunkResigner resigner() {
            return new ChunkResigner(
                    chain(algorithm, DUMMY, THEIR_SCOPE, "seed"),
                    chain(algorithm, REAL, OUR_SCOPE, "ours"),
                    size,
                    trailers);
        }

        /** Whether somebody with the real key takes it, chunk for chunk. */
        byte[] verified(byte[] sent) {
            return new ChunksReader(chain(algorithm, REAL, OUR_SCOPE, "ours"), trailers).read(sent);
        }
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static final List<Upload> UPLOADS = List.of(
            new Upload(Algorithm.HMAC, 0, 1, Set.of()),
            new Upload(Algorithm.HMAC, 1, 65536, Set.of()),
            new Upload(Algorithm.HMAC, 300_000, 65536, Set.of()),
            new Upload(Algorithm.HMAC, 131_072, 65536, CRC),
            new Upload(Algorithm.HMAC, 0, 1, CRC),
            new Upload(Algorithm.ECDSA, 100_000, 8192, Set.of()),
            new Upload(Algorithm.ECDSA, 20_000, 16_384, CRC));

    /** All that left, cut as the seed has it; a refusal is thrown. */
    private static byte[] through(ChunkResigner resigner, byte[] bytes, Random cuts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(bytes.length - at, 1 + cuts.nextInt(cuts.nextBoolean() ? 3 : 100_000));
            switch (resigner.accept(ByteBuffer.wrap(bytes, at, length))) {
                case Resigned.Piece(ByteBuffer piece) -> out.write(piece.array(), piece.position(), piece.remaining());
                case Resigned.Refused(String reason) -> throw new Refusal(reason, out.toByteArray());
            }
            at += length;
        }
        String problem = resigner.end();
        if (problem != null) {
            throw new Refusal(problem, out.toByteArray());
        }
        return out.toByteArray();
    }

    private static final class Refusal extends RuntimeException {
        private final byte[] left;

        Refusal(String reason, byte[] left) {
            super(reason);
            this.left = left;
        }
    }

    @Test
    void each_chunk_leaves_with_a_signature_of_the_real_key_and_the_length_stays() {
        Fuzzing.run(50, seed -> {
            Upload upload = UPLOADS.get((int) (seed % UPLOADS.size()));
            byte[] signed = upload.signed();
            byte[] sent = through(upload.resigner(), signed, new Random(seed));
            assertThat(sent).hasSameSizeAs(signed);
            assertThat(upload.verified(sent)).isEqualTo(upload.content());
        });
    }

    private static Refusal refused(Upload upload, UnaryOperator<byte[]> tampering) {
        try {
            through(upload.resigner(), tampering.apply(upload.signed()), new Random(1));
        } catch (Refusal refusal) {
            return refusal;
        }
        throw new AssertionError("was not refused");
    }

    private static UnaryOperator<byte[]> replacing(String one, String other) {
        return bytes -> new String(bytes, StandardCharsets.ISO_8859_1)
                .replaceFirst(one, other)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static UnaryOperator<byte[]> flippedAt(int at) {
        return bytes -> {
            bytes[at < 0 ? bytes.length + at : at] ^= 1;
            return bytes;
        };
    }

    /** No octet of content leaves that was not verified. */
    @Test
    void a_chunk_that_was_changed_never_leaves() {
        Upload upload = new Upload(Algorithm.HMAC, 300_000, 65536, Set.of());
        Refusal refusal = refused(upload, flippedAt(2 * 65536 + 1000));
        assertThat(refusal).hasMessageContaining("signature").hasMessageContaining("the key that the agent was given");
        assertThat(refusal.left).as("the two chunks before it").hasSize(2 * (22 + 64 + 2 + 65536 + 2));
        assertThat(refused(new Upload(Algorithm.ECDSA, 10_000, 8192, Set.of()), flippedAt(1000)).left)
                .isEmpty();
    }

    @Test
    void a_chain_that_was_changed_is_refused() {
        Upload upload = new Upload(Algorithm.HMAC, 131_072, 65536, Set.of());
        assertThat(refused(upload, bytes -> {
                    // The second chunk twice: valid each by itself, not one after the other.
                    int start = "10000;chunk-signature=".length() + 64 + 2 + 65536 + 2;
                    byte[] twice = Arrays.copyOf(bytes, bytes.length);
                    System.arraycopy(bytes, start, twice, 0, start);
                    return twice;
                }))
                .hasMessageContaining("signature");
        assertThat(refused(new Upload(Algorithm.HMAC, 0, 1, Set.of()), flippedAt(30)))
                .hasMessageContaining("signature");
    }

    @Test
    void trailers_that_were_changed_or_not_announced_are_refused() {
        Upload upload = new Upload(Algorithm.HMAC, 9000, 8192, CRC);
        assertThat(refused(upload, replacing("crc32:AAAAAA==", "crc32:BAAAAA==")))
                .hasMessageContaining("trailers' signature");
        assertThat(refused(upload, replacing("x-amz-checksum-crc32:", "authorization:")))
                .hasMessageContaining("announces");
        assertThat(refused(upload, replacing("x-amz-checksum-crc32:AAAAAA==\r\n", "")))
                .hasMessageContaining("missing");
        assertThat(refused(
                        upload,
                        replacing(
                                "x-amz-checksum-crc32:AAAAAA==\r\n",
                                "x-amz-checksum-crc32:AAAAAA==\r\nX-Amz-Checksum-Crc32:AAAAAA==\r\n")))
                .hasMessageContaining("each once");
        assertThat(refused(upload, replacing("x-amz-trailer-signature:.*\r\n", "")))
                .hasMessageContaining("announces");
        assertThat(refused(upload, flippedAt(-6))).hasMessageContaining("trailers' signature");
    }

    @Test
    void framing_is_read_strictly() {
        Upload upload = new Upload(Algorithm.HMAC, 9000, 8192, Set.of());
        for (String head : List.of(
                "2000 ;chunk-signature=",
                "02000;chunk-signature=",
                "+2000;chunk-signature=",
                "0x2000;chunk-signature=",
                "2000;x=1;chunk-signature=",
                "2000;Chunk-Signature=",
                "2000; chunk-signature=",
                "-1;chunk-signature=",
                ";chunk-signature=",
                "fffffffff;chunk-signature=")) {
            assertThat(refused(upload, replacing("2000;chunk-signature=", head)))
                    .as(head)
                    .hasMessageContaining("size in hex");
        }
        assertThat(refused(upload, replacing("2000;chunk-signature=", "2000\n;chunk-signature=")))
                .hasMessageContaining("character");
        assertThat(refused(upload, replacing("2000;chunk-signature=", "2000\r;chunk-signature=")))
                .hasMessageContaining("character");
        assertThat(refused(upload, replacing("2000;chunk-signature=", "2000;chunk-signature=" + "a".repeat(2000))))
                .hasMessageContaining("longer");
        assertThat(refused(upload, replacing("2000;chunk-signature=", "f00000;chunk-signature=")))
                .hasMessageContaining("longer than 1048576");
    }

    @Test
    void content_ends_with_its_last_chunk_and_not_before() {
        Upload upload = new Upload(Algorithm.HMAC, 9000, 8192, Set.of());
        assertThat(refused(upload, bytes -> Arrays.copyOf(bytes, bytes.length - 1)))
                .hasMessageContaining("ends inside");
        assertThat(refused(upload, bytes -> Arrays.copyOf(bytes, bytes.length + 1)))
                .hasMessageContaining("goes on");
        assertThat(refused(upload, bytes -> new byte[] {}).getMessage()).contains("ends inside");
    }

    @Test
    void chunks_add_up_to_the_length_that_the_head_says() {
        Upload upload = new Upload(Algorithm.HMAC, 9000, 8192, Set.of());
        for (int said : new int[] {8999, 9001}) {
            ChunkResigner resigner = new ChunkResigner(
                    chain(Algorithm.HMAC, DUMMY, THEIR_SCOPE, "seed"),
                    chain(Algorithm.HMAC, REAL, OUR_SCOPE, "ours"),
                    said,
                    Set.of());
            @Nullable String reason = null;
            try {
                through(resigner, upload.signed(), new Random(2));
            } catch (Refusal refusal) {
                reason = refusal.getMessage();
            }
            assertThat(reason).contains("x-amz-decoded-content-length");
        }
    }

    /** Each costs a signature: a million of them would cost an agent little, and the broker much. */
    @Test
    void small_chunks_are_refused_but_for_the_last() {
        assertThat(refused(new Upload(Algorithm.HMAC, 9000, 4096, Set.of()), UnaryOperator.identity()))
                .hasMessageContaining("shorter than 8192");
    }

    /** What the signer of AWS's own SDK makes of an upload is verified with the key that it signed with, and re-signed. */
    @Test
    void uploads_of_the_sdk_are_read() {
        byte[] content = new Upload(Algorithm.HMAC, 300_000, 1, Set.of()).content();
        for (boolean trailer : List.of(false, true)) {
            SignedRequest request = new SdkSigner("s3", "us-east-1", "AKIAPLACEHOLDER00000", "placeholder", null, AT)
                    .upload("http://up.test/bucket/key", content, trailer);
            Map<String, List<String>> fields = SdkSigner.headers(request);
            ClaimedSignature claimed = ClaimedSignature.parse(
                            fields.get("Authorization").getFirst(),
                            fields.get("X-Amz-Date").getFirst())
                    .orElseThrow();
            assertThat(claimed.keyId()).isEqualTo(DUMMY.id());
            assertThat(fields.get("x-amz-content-sha256").getFirst())
                    .isEqualTo(trailer ? Algorithm.HMAC.streamingWithTrailer() : Algorithm.HMAC.streaming());
            Set<String> trailers = trailer ? CRC : Set.of();
            byte[] signed = SdkSigner.content(request);
            byte[] sent = through(
                    new ChunkResigner(
                            claimed.chunks(DUMMY),
                            chain(Algorithm.HMAC, REAL, OUR_SCOPE, "ours"),
                            content.length,
                            trailers),
                    signed,
                    new Random(3));
            assertThat(sent).hasSameSizeAs(signed);
            assertThat(new ChunksReader(chain(Algorithm.HMAC, REAL, OUR_SCOPE, "ours"), trailers).read(sent))
                    .isEqualTo(content);
        }
    }
}
