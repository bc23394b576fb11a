package io.sallyport.exchange;

import io.sallyport.document.Quantities;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.http.IpRange;
import io.sallyport.http.Parsed;
import io.sallyport.policy.Binding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The {@code authorization_details} (RFC 9396) of type {@code sallyport_task}: what the runtime says of the task, and narrower limits than
 * the policy's. What it leaves out is the policy's.
 *
 * @param ttl at least 1 s
 * @param uses at least 1
 * @param bytesOut bytes, at least 1
 * @param address of one host, from which the token may be used, or the listener reached
 * @param listener the kind of listener, as written
 * @param uid of the user that may connect to a socket
 */
record TaskDetails(
        boolean given,
        Optional<String> purpose,
        Optional<Duration> ttl,
        OptionalLong uses,
        OptionalLong bytesOut,
        Optional<IpRange> address,
        Optional<String> listener,
        OptionalLong uid) {

    static final String TYPE = "sallyport_task";

    private static final Set<String> FIELDS =
            new TreeSet<>(Set.of("type", "purpose", "ttl", "uses", "bytes_out", "address", "listener", "uid"));
    private static final List<String> LISTENERS = List.of("port", "socket", "transparent");
    private static final int LONGEST_PURPOSE = 256;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final TaskDetails NONE = new TaskDetails(
            false,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty());

    /** @param text the parameter; empty where it is missing */
    static Step<TaskDetails> parse(Optional<String> text) {
        if (text.isEmpty()) {
            return Step.passed(NONE);
        }
        JsonNode root;
        try {
            root = JSON.readTree(text.get());
        } catch (JacksonException notJson) {
            return wrong("authorization_details is not JSON.");
        }
        if (!root.isArray() || root.size() != 1 || !root.get(0).isObject()) {
            return wrong("authorization_details is a JSON array of one object.");
        }
        return read(root.get(0));
    }

    private static Step<TaskDetails> read(JsonNode detail) {
        if (!detail.path("type").isString() || !detail.path("type").asString().equals(TYPE)) {
            return wrong("The type is " + TYPE + "; there is no other.");
        }
        if (!FIELDS.containsAll(detail.propertyNames())) {
            return wrong("A field is unknown; allowed: " + String.join(", ", FIELDS) + ".");
        }
        Optional<String> purpose = text(detail, "purpose").filter(TaskDetails::sound);
        if (detail.has("purpose") && purpose.isEmpty()) {
            return wrong("purpose is a text of 1 to " + LONGEST_PURPOSE + " characters, on one line.");
        }
        Optional<Duration> ttl = text(detail, "ttl")
                .flatMap(Quantities::duration)
                .filter(time -> time.compareTo(Duration.ofSeconds(1)) >= 0);
        if (detail.has("ttl") && ttl.isEmpty()) {
            return wrong("ttl is a time of at least 1s, as in 10min.");
        }
        OptionalLong uses = count(detail.path("uses"));
        if (detail.has("uses") && uses.isEmpty()) {
            return wrong("uses is a whole number, at least 1.");
        }
        OptionalLong bytes = size(detail);
        if (detail.has("bytes_out") && bytes.isEmpty()) {
            return wrong("bytes_out is a size as in 5MiB, or a whole number of bytes, at least 1.");
        }
        Optional<IpRange> address = text(detail, "address").flatMap(TaskDetails::host);
        if (detail.has("address") && address.isEmpty()) {
            return wrong("address is that of one host, as in 10.2.3.4/32 or fd00:1:2:3::/64.");
        }
        Optional<String> listener = text(detail, "listener").filter(LISTENERS::contains);
        if (detail.has("listener") && listener.isEmpty()) {
            return wrong("listener is one of " + String.join(", ", LISTENERS) + ".");
        }
        OptionalLong uid = user(detail.path("uid"));
        if (detail.has("uid") && uid.isEmpty()) {
            return wrong("uid is the number of a user, 0 to " + TaskListener.MOST_UID + ", and not "
                    + TaskListener.UNNAMED_UID + ", which stands for anybody.");
        }
        return Step.passed(new TaskDetails(true, purpose, ttl, uses, bytes, address, listener, uid));
    }

    /**
     * The listener that is asked for, where the policy binds to one.
     *
     * @param source that may connect, where no address is given
     */
    Step<TaskListener.Wanted> wanted(IpRange source) {
        IpRange peers = address.orElse(source);
        boolean socket = listener.equals(Optional.of("socket"));
        if (socket != uid.isPresent()) {
            return wrong("uid goes with the listener socket, and the listener socket with uid.");
        }
        if (socket) {
            return address.isPresent()
                    ? wrong("A socket has no address: uid says who may connect.")
                    : Step.passed(new TaskListener.Socket(uid.getAsLong()));
        }
        return Step.passed(
                listener.equals(Optional.of("transparent"))
                        ? new TaskListener.Transparent(peers)
                        : new TaskListener.Port(peers));
    }

    /** Whether they say something of a listener. */
    boolean listening() {
        return listener.isPresent() || uid.isPresent();
    }

    private static <T> Step<T> wrong(String description) {
        return Step.refused(Refusal.invalidDetails(description));
    }

    private static Optional<String> text(JsonNode detail, String field) {
        JsonNode value = detail.path(field);
        return value.isString() ? Optional.of(value.asString()) : Optional.empty();
    }

    private static boolean sound(String purpose) {
        return !purpose.isBlank()
                && purpose.length() <= LONGEST_PURPOSE
                && purpose.chars().noneMatch(Character::isISOControl);
    }

    private static OptionalLong count(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.asLong() >= 1
                ? OptionalLong.of(value.asLong())
                : OptionalLong.empty();
    }

    private static OptionalLong user(JsonNode value) {
        boolean user = value.isIntegralNumber()
                && value.canConvertToLong()
                && value.asLong() >= 0
                && value.asLong() <= TaskListener.MOST_UID
                && value.asLong() != TaskListener.UNNAMED_UID;
        return user ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }

    private static OptionalLong size(JsonNode detail) {
        Optional<Long> written =
                text(detail, "bytes_out").flatMap(Quantities::size).filter(bytes -> bytes >= 1);
        return written.isPresent() ? OptionalLong.of(written.get()) : count(detail.path("bytes_out"));
    }

    /** A wider range would undo the policy's binding; a host of IPv6 owns its /64 and changes addresses inside it. */
    private static Optional<IpRange> host(String text) {
        return switch (IpRange.parse(text)) {
            case Parsed.Malformed<IpRange> malformed -> Optional.empty();
            case Parsed.Valid<IpRange>(IpRange range) ->
                range.prefixLength() >= (range.network().bits() == 32 ? 32 : 64)
                        ? Optional.of(range)
                        : Optional.empty();
        };
    }

    /** The details as granted (RFC 9396 section 7): everything spelled out, in a form that can be sent again. */
    static List<Map<String, Object>> granted(Grant grant, Optional<TaskListener> listener) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", TYPE);
        if (grant.purpose() != null) {
            detail.put("purpose", grant.purpose());
        }
        detail.put("ttl", Quantities.print(Duration.between(grant.openedAt(), grant.expiresAt())));
        detail.put("uses", grant.uses());
        boolean whole = grant.bytesOut() >= 1024 && grant.bytesOut() % 1024 == 0;
        detail.put("bytes_out", whole ? Quantities.printSize(grant.bytesOut()) : (Object) grant.bytesOut());
        if (grant.binding() == Binding.ADDRESS && grant.address() != null) {
            detail.put("address", grant.address());
        }
        listener.ifPresent(open -> detail.putAll(kind(open.wanted())));
        return List.of(detail);
    }

    private static Map<String, Object> kind(TaskListener.Wanted wanted) {
        return switch (wanted) {
            case TaskListener.Port(IpRange peers) -> Map.of("listener", "port", "address", peers.toString());
            case TaskListener.Transparent(IpRange peers) ->
                Map.of("listener", "transparent", "address", peers.toString());
            case TaskListener.Socket(long user) -> Map.of("listener", "socket", "uid", user);
        };
    }
}
