package io.sallyport.testing;

import io.sallyport.credential.Injected;
import io.sallyport.credential.Lease;
import io.sallyport.credential.Scrubber;
import io.sallyport.grant.Grant;
import io.sallyport.http.Destination;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.policy.Binding;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.PathMode;
import io.sallyport.policy.Scope;
import io.sallyport.policy.TaskLimits;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.FreshCredentials;
import io.sallyport.proxy.LiveFlows;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** Admissions as the gate would give them, without a gate. */
public final class TestAdmissions {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());

    private TestAdmissions() {}

    public static Grant grant() {
        return new Grant(
                "grant_1",
                "jti_1",
                "task_1",
                null,
                0,
                "fixer",
                "00",
                new TreeSet<>(Set.of("read")),
                Set.of(),
                new Principal("ci", "agent-1"),
                null,
                Isolation.CONTAINER,
                null,
                100,
                1_000_000,
                NOW,
                NOW.plusSeconds(900),
                null,
                Binding.ADDRESS);
    }

    public static RequestHead head(String method, Framing framing) {
        return new RequestHead(
                method,
                Origin.parse("https://api.up.test").orElseThrow(),
                Target.parse("/v1").orElseThrow(),
                Fields.of("Host", "api.up.test"),
                framing,
                false);
    }

    public static Scope scope() {
        return new Scope(
                "read",
                "reads",
                Destination.parse("https://api.up.test", List.of()).orElseThrow(),
                List.of(),
                new CredentialUse.None(),
                PathMode.STRICT,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                java.util.Map.of(),
                true);
    }

    public static TaskLimits limits() {
        return new TaskLimits(
                Duration.ofMinutes(15),
                100,
                1_000_000,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Binding.ADDRESS);
    }

    /** A handshake for a WebSocket. */
    public static Admission handshake() {
        RequestHead head = head("GET", new Framing.None());
        return of(head, false, new WebSocketHandshake("dGhlIHNhbXBsZSBub25jZQ==", List.of()));
    }

    /** @param credentialed whether a secret rides on it */
    public static Admission of(RequestHead head, boolean credentialed) {
        return of(head, credentialed, null);
    }

    /** With a secret that waits for the whole content, of at most so many bytes. */
    public static Admission whole(RequestHead head, long wholeLimit) {
        return of(head, true, null, wholeLimit);
    }

    private static Admission of(RequestHead head, boolean credentialed, @Nullable WebSocketHandshake handshake) {
        return of(head, credentialed, handshake, Admission.AS_IT_COMES);
    }

    private static Admission of(
            RequestHead head, boolean credentialed, @Nullable WebSocketHandshake handshake, long wholeLimit) {
        LiveFlows flows = new LiveFlows(Clock.fixed(NOW, ZoneOffset.UTC), TIMER, 1000);
        return new Admission(
                flows.enter(grant(), head, OptionalLong.empty(), why -> {}).orElseThrow(),
                scope(),
                limits(),
                head,
                head,
                wholeLimit,
                credentialed ? List.of(new PlainLease()) : List.of(),
                List.of(),
                "",
                new io.sallyport.proxy.Route(List.of(), null, null),
                new PassingScrubber(),
                FreshCredentials.askedForBy(head, credentialed),
                handshake);
    }

    private static final class PlainLease implements Lease {
        @Override
        public String credential() {
            return "up";
        }

        @Override
        public String version() {
            return "up@1#1";
        }

        @Override
        public Injected inject(RequestHead asked, RequestHead outgoing) {
            Field field = new Field("Authorization", "Bearer s3cret", true);
            return new Injected.Done(outgoing.withFields(outgoing.fields().with(field)));
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    private static final class PassingScrubber implements Scrubber {
        @Override
        public String text(String value) {
            return value;
        }

        @Override
        public int masks() {
            return 0;
        }

        @Override
        public ByteBuffer push(ByteBuffer content, boolean last) {
            return content;
        }
    }
}
