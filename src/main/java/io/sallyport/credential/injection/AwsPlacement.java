package io.sallyport.credential.injection;

import io.sallyport.credential.ContentRewriter;
import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.aws.AccessKey;
import io.sallyport.credential.aws.ChunkChain;
import io.sallyport.credential.aws.ChunkResigner;
import io.sallyport.credential.aws.Resigned;
import io.sallyport.credential.aws.Sha256;
import io.sallyport.credential.aws.Signer;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Parameters;
import io.sallyport.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One signature on one request. What is to be said of the content is found out first; the request is signed when its head is written, so
 * that exactly what leaves is signed, at the time at which it leaves.
 */
final class AwsPlacement implements Placement {

    private final AwsSignature document;
    private final AccessKey key;
    private final Clock clock;
    private final List<byte[]> signatures = new ArrayList<>();
    private @Nullable AwsPayload payload;
    private @Nullable Duration presigned;
    private @Nullable ChunkChain chunks;

    AwsPlacement(AwsSignature document, AccessKey key, Clock clock) {
        this.document = document;
        this.key = key;
        this.clock = clock;
    }

    @Override
    public Injected head(RequestHead asked, RequestHead outgoing) {
        AwsPayload found = AwsPayload.of(document, asked);
        payload = found;
        if (found instanceof AwsPayload.Unfit(String reason)) {
            return new Injected.Refused(Misfit.HEAD, reason);
        }
        Duration longest = document.presigned();
        String query = asked.target().query();
        if (longest != null
                && query != null
                && !Parameters.named(query, AwsSignature.SIGNATURE).isEmpty()) {
            presigned = ofPlaceholder(query) ? lifetime(query, longest) : null;
            if (presigned == null) {
                return new Injected.Refused(
                        Misfit.TARGET,
                        "the URL was not presigned with the placeholder's key, or for longer than the credential allows; allowed: "
                                + "an X-Amz-Expires of 1 to " + longest.toSeconds());
            }
        }
        return new Injected.Done(outgoing.withFields(owned(outgoing.fields())));
    }

    /** A link of somebody else's is not turned into one of ours. */
    private boolean ofPlaceholder(String query) {
        List<Parameters.Place> places = Parameters.named(query, "x-amz-credential");
        String id = Objects.requireNonNull(document.agentKey()).id();
        return places.size() == 1
                && places.getFirst().value(query).replace("%2F", "/").startsWith(id + "/");
    }

    private static @Nullable Duration lifetime(String query, Duration longest) {
        List<Parameters.Place> places = Parameters.named(query, "x-amz-expires");
        String seconds = places.size() == 1 ? places.getFirst().value(query) : "";
        return seconds.matches("[1-9]\\d{0,5}") && Long.parseLong(seconds) <= longest.toSeconds()
                ? Duration.ofSeconds(Long.parseLong(seconds))
                : null;
    }

    /** The bucket, and one that is copied from, have to be the document's account's. */
    private Fields owned(Fields fields) {
        String owner = document.bucketOwner();
        if (owner == null) {
            return fields;
        }
        Fields owned = fields.with(new Field(AwsSignature.BUCKET_OWNER, owner));
        return fields.has("x-amz-copy-source") ? owned.with(new Field(AwsSignature.COPIED_OWNER, owner)) : owned;
    }

    @Override
    public ContentUse content() {
        return switch (payload) {
            case AwsPayload.Whole ignored when !unsigned() -> ContentUse.WHOLE;
            case AwsPayload.Chunks ignored -> ContentUse.STREAM;
            case null, default -> ContentUse.NONE;
        };
    }

    /** A presigned URL of S3 says nothing of the content. */
    private boolean unsigned() {
        return presigned != null && document.objectStore();
    }

    @Override
    public Injected whole(RequestHead outgoing, byte[] content) {
        payload = new AwsPayload.Said(Sha256.hex(content));
        return new Injected.Done(outgoing);
    }

    @Override
    public RequestHead stamp(RequestHead outgoing) {
        String word = word();
        Fields fields = outgoing.fields()
                .without(AwsPayload.FIELD)
                .with(new Field("Host", outgoing.origin().authority()));
        if (document.objectStore() && presigned == null) {
            fields = AwsPayload.with(fields, word);
        }
        Signer.Request request = new Signer.Request(outgoing.method(), outgoing.target(), fields, word);
        Signer.Signed signed = presigned == null
                ? document.signer().inHead(key, clock.instant(), request)
                : document.signer().inQuery(key, clock.instant(), presigned, request);
        signatures.add(signed.signature().getBytes(StandardCharsets.US_ASCII));
        if (payload instanceof AwsPayload.Chunks) {
            chunks = signed.chunks();
        } else {
            signed.chunks().close();
        }
        return outgoing.withTarget(signed.target()).withFields(signed.fields());
    }

    private String word() {
        if (unsigned()) {
            return AwsPayload.UNSIGNED;
        }
        return switch (payload) {
            case AwsPayload.Said(String word) -> word;
            case AwsPayload.Chunks streamed -> streamed.word();
            case null, default -> throw new IllegalStateException("the content to be signed has not been seen");
        };
    }

    @Override
    public ContentRewriter rewriter() {
        return new Resigning();
    }

    @Override
    public List<byte[]> scrubbed() {
        return List.copyOf(signatures);
    }

    /** Begins with the first piece: its chain goes on from the signature of the head, which is made after it is asked for. */
    private final class Resigning implements ContentRewriter {

        private @Nullable ChunkResigner resigner;

        @Override
        public Rewritten rewrite(ByteBuffer piece, boolean last) {
            ChunkResigner running = running();
            Rewritten rewritten = switch (running.accept(piece.duplicate())) {
                case Resigned.Refused(String reason) -> new Rewritten.Refused(Misfit.CONTENT, reason);
                case Resigned.Piece(ByteBuffer bytes) -> {
                    String problem = last ? running.end() : null;
                    yield problem == null ? new Rewritten.Bytes(bytes) : new Rewritten.Refused(Misfit.CONTENT, problem);
                }
            };
            if (last || rewritten instanceof Rewritten.Refused) {
                running.close();
            }
            return rewritten;
        }

        private ChunkResigner running() {
            ChunkResigner running = resigner;
            if (running == null) {
                AwsPayload.Chunks streamed = (AwsPayload.Chunks) Objects.requireNonNull(payload);
                AwsSignature.PlaceholderKey given = Objects.requireNonNull(document.agentKey());
                AccessKey theirs = new AccessKey(given.id(), given.secret().getBytes(StandardCharsets.US_ASCII), null);
                running = new ChunkResigner(
                        streamed.claimed().chunks(theirs),
                        Objects.requireNonNull(chunks, "the head was not signed"),
                        streamed.decoded(),
                        streamed.trailers());
                resigner = running;
            }
            return running;
        }
    }
}
