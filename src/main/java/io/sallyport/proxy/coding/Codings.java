package io.sallyport.proxy.coding;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.github.luben.zstd.util.Native;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The codings of a content (RFC 9110 section 8.4), the one that was applied last first.
 *
 * @param toTakeOff empty for content that is as it is; at most {@link #MOST}
 */
public record Codings(List<Coding> toTakeOff) {

    /** One upon another: more are nobody's need, and each multiplies how far a few bytes expand. */
    static final int MOST = 3;

    private static final Codings NONE = new Codings(List.of());

    /** A coding that can be taken off. */
    enum Coding {
        GZIP(() -> true, GzipDecoding::new),
        DEFLATE(() -> true, DeflateDecoding::new),
        BROTLI(Brotli4jLoader::isAvailable, BrotliDecoding::new),
        ZSTD(Coding::zstdLoads, ZstdDecoding::new);

        private final BooleanSupplier available;
        private final Supplier<Decoding> decoding;

        Coding(BooleanSupplier available, Supplier<Decoding> decoding) {
            this.available = available;
            this.decoding = decoding;
        }

        Decoding begin() {
            return decoding.get();
        }

        private static boolean zstdLoads() {
            try {
                Native.load();
                return true;
            } catch (LinkageError | RuntimeException e) {
                return false;
            }
        }
    }

    public Codings {
        toTakeOff = List.copyOf(toTakeOff);
    }

    /** @return malformed, with a reason, where one of them can't be taken off here */
    public static Parsed<Codings> of(Fields fields) {
        if (!fields.has("content-encoding")) {
            return Parsed.valid(NONE);
        }
        List<Coding> codings = new ArrayList<>();
        for (Field line : fields) {
            if (line.is("content-encoding")) {
                for (String name : line.value().split(",", -1)) {
                    String coding = name.strip().toLowerCase(Locale.ROOT);
                    if (!coding.isEmpty() && !coding.equals("identity")) {
                        Coding known = named(coding);
                        if (known == null || !known.available.getAsBoolean()) {
                            return Parsed.malformed("the content has a coding other than gzip, deflate, br and zstd");
                        }
                        codings.addFirst(known);
                    }
                }
            }
        }
        return codings.size() > MOST
                ? Parsed.malformed("the content has more than " + MOST + " codings")
                : Parsed.valid(new Codings(codings));
    }

    private static @Nullable Coding named(String name) {
        return switch (name) {
            case "gzip", "x-gzip" -> Coding.GZIP;
            case "deflate" -> Coding.DEFLATE;
            case "br" -> Coding.BROTLI;
            case "zstd" -> Coding.ZSTD;
            default -> null;
        };
    }

    /** @return why the content of this answer can't be looked into; empty where it can, or where there is none */
    public static Optional<String> problem(ResponseHead head) {
        if (head.framing() instanceof Framing.None) {
            return Optional.empty();
        }
        // Messages of gRPC are coded each by itself, and their codings were declined.
        if (head.fields().all("grpc-encoding").stream()
                .anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"))) {
            return Optional.of("its messages are compressed");
        }
        return switch (of(head.fields())) {
            case Parsed.Malformed<Codings>(String reason) -> Optional.of(reason);
            case Parsed.Valid<Codings>(Codings codings) ->
                head.status() == 206 && !codings.none()
                        ? Optional.of("a part of coded content can't be decoded")
                        : Optional.empty();
        };
    }

    public boolean none() {
        return toTakeOff.isEmpty();
    }
}
