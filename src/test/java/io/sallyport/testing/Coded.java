package io.sallyport.testing;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Codes content as a destination would, whole or with a flush after each part. */
public final class Coded {

    private Coded() {}

    public static byte[] whole(String coding, byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = to(coding, bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What is written to it goes on, coded, with each flush. */
    public static OutputStream to(String coding, OutputStream out) throws IOException {
        return switch (coding) {
            case "gzip", "x-gzip" -> new GZIPOutputStream(out, 512, true);
            case "deflate" -> new DeflaterOutputStream(out, true);
            case "bare deflate" -> new DeflaterOutputStream(out, new Deflater(6, true), 512, true);
            case "br" -> {
                Brotli4jLoader.ensureAvailability();
                yield new BrotliOutputStream(out);
            }
            case "zstd" -> new ZstdOutputStreamNoFinalizer(out);
            default -> throw new IllegalArgumentException(coding);
        };
    }
}
