package io.sallyport.credential;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** What scrubbing costs: 1 MiB of clean content in pieces of 16 KiB, so that operations per second are MiB/s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgs = "--enable-native-access=ALL-UNNAMED")
public class ScrubberBench {

    private static final int PIECE = 16 * 1024;

    @Param({"binary", "base64", "json", "alike", "escaped", "escaped alike"})
    public String content;

    @Param({"40", "1000"})
    public int secretLength;

    private ByteBuffer bytes;
    private ShapeSet shapes;

    @Setup
    public void fill() {
        Random random = new Random(1);
        byte[] noise = new byte[1 << 20];
        random.nextBytes(noise);
        byte[] secret = new byte[secretLength * 3 / 4];
        random.nextBytes(secret);
        byte[] shown = Base64.getUrlEncoder().encode(secret);
        byte[] filled = switch (content) {
            case "binary" -> noise;
            case "base64" -> Base64.getEncoder().encode(noise);
            case "alike" -> alike(random, shown, shown.length - 4, "");
            case "escaped" -> alike(random, noise, noise.length - 4, "%%%02X");
            case "escaped alike" -> alike(random, shown, shown.length - 4, "%%%02X");
            default ->
                "{\"id\": 4711, \"name\": \"an \\\"ordinary\\\" name\", \"url\": \"https://api.example.com/v1/items?a=b%20c\"},\n"
                        .repeat(1 << 14)
                        .getBytes(StandardCharsets.US_ASCII);
        };
        bytes = ByteBuffer.allocateDirect(1 << 20).put(filled, 0, 1 << 20).flip();
        shapes = new ShapeSet(SecretShapes.of(shown));
    }

    /** Pieces of four bytes, from anywhere: of the secret, what somebody would have sent back who wants to know it by the time this takes. */
    private static byte[] alike(Random random, byte[] of, int places, String format) {
        StringBuilder content = new StringBuilder();
        while (content.length() < 1 << 20) {
            int from = random.nextInt(places);
            for (int i = from; i < from + 4; i++) {
                content.append(format.isEmpty() ? "" + (char) of[i] : format.formatted(of[i] & 0xff));
            }
        }
        return content.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Benchmark
    public void scrub(Blackhole sink) {
        Scrubber scrubber = new MaskingScrubber(shapes);
        for (int at = 0; at < bytes.limit(); at += PIECE) {
            sink.consume(scrubber.push(bytes.slice(at, PIECE), at + PIECE == bytes.limit()));
        }
    }

    public static void main(String[] args) throws Exception {
        new Runner(new OptionsBuilder()
                        .include(ScrubberBench.class.getSimpleName())
                        .build())
                .run();
    }
}
