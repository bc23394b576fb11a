package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What stands in for Secrets Manager, the Parameter Store and STS: their wire protocols (JSON 1.1; query with XML), their documented answers
 * and errors, and every signature verified. What it keeps of IAM is what sessions are opened with, and {@link AwsPolicies}.
 */
public final class AwsStandIn implements AutoCloseable {

    public static final String ACCOUNT = "111122223333";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration SKEW = Duration.ofMinutes(5);

    /** @param policy of the session, null for none; @param token null for a user's own key */
    public record Key(
            String secret,
            @Nullable String token,
            String arn,
            Instant until,
            @Nullable String policy) {}

    /** @param externalId null for none asked; @param longest the role's maximum session duration */
    public record Role(String trusted, @Nullable String externalId, Duration longest) {}

    /** A session that was opened, by what it was asked for with. */
    public record Opened(Map<String, String> asked, String keyId) {

        public Map<String, String> tags() {
            Map<String, String> tags = new LinkedHashMap<>();
            for (int i = 1; asked.containsKey("Tags.member." + i + ".Key"); i++) {
                tags.put(asked.get("Tags.member." + i + ".Key"), asked.get("Tags.member." + i + ".Value"));
            }
            return tags;
        }
    }

    public record Version(String id, String value, List<String> stages) {}

    public record Parameter(
            String type,
            String value,
            long version,
            @Nullable String label) {}

    private record Fault(int status, String code, String message) {}

    private final Clock clock;
    private final TestOrigin origin;
    private final AtomicInteger serial = new AtomicInteger(1000);
    private final Queue<Fault> faults = new ArrayDeque<>();
    public final Map<String, Key> keys = new ConcurrentHashMap<>();
    public final Map<String, Role> roles = new ConcurrentHashMap<>();
    public final Map<String, String> webIdentities = new ConcurrentHashMap<>();
    public final Map<String, List<Version>> secrets = new ConcurrentHashMap<>();
    public final Map<String, List<Parameter>> parameters = new ConcurrentHashMap<>();
    public final List<Opened> opened = new CopyOnWriteArrayList<>();
    public final List<String> calls = new CopyOnWriteArrayList<>();

    public AwsStandIn(TestCertificates.Issued certificate, Clock clock) {
        this.clock = clock;
        this.origin =
                TestOrigin.tls(certificate, (request, out) -> answer(request).to(request, out));
    }

    public TestOrigin origin() {
        return origin;
    }

    public void user(String id, String secret, String name) {
        keys.put(id, new Key(secret, null, "arn:aws:iam::" + ACCOUNT + ":user/" + name, Instant.MAX, null));
    }

    /** The next question gets this instead of its answer. */
    public synchronized void fail(int status, String code, String message) {
        faults.add(new Fault(status, code, message));
    }

    /** Faults that no question has met yet. */
    public synchronized int pending() {
        return faults.size();
    }

    private synchronized @Nullable Fault nextFault() {
        return faults.poll();
    }

    private TestOrigin.Answer answer(TestOrigin.Received request) {
        String target = request.field("X-Amz-Target").stream().findFirst().orElse("");
        boolean json = !target.isEmpty();
        Map<String, String> form = json ? Map.of() : form(request.text());
        String action = json ? target : "STS." + form.get("Action");
        calls.add(action);
        Fault fault = nextFault();
        if (fault == null) {
            fault = unauthenticated(request, json, action);
        }
        if (fault != null) {
            return refused(json, fault);
        }
        Key caller = key(request);
        try {
            return switch (action) {
                case "secretsmanager.GetSecretValue" -> secret(JSON.readTree(request.content()), caller);
                case "AmazonSSM.GetParameter" -> parameter(JSON.readTree(request.content()), caller);
                case "STS.GetCallerIdentity" -> identity(caller);
                case "STS.AssumeRole" -> assume(form, caller);
                case "STS.AssumeRoleWithWebIdentity" -> assumeByToken(form);
                default -> refused(json, new Fault(400, "InvalidAction", "Could not find operation " + action));
            };
        } catch (Refused refused) {
            return refused(json, refused.fault);
        }
    }

    private static final class Refused extends RuntimeException {
        private final transient Fault fault;

        Refused(int status, String code, String message) {
            super(message);
            this.fault = new Fault(status, code, message);
        }
    }

    private @Nullable Fault unauthenticated(TestOrigin.Received request, boolean json, String action) {
        if (action.equals("STS.AssumeRoleWithWebIdentity")) {
            return null;
        }
        String id = AwsSignature.keyId(request);
        if (id == null) {
            return json
                    ? new Fault(400, "MissingAuthenticationTokenException", "Missing Authentication Token")
                    : new Fault(403, "MissingAuthenticationToken", "Request is missing Authentication Token");
        }
        Key key = keys.get(id);
        String token =
                request.field("X-Amz-Security-Token").stream().findFirst().orElse(null);
        if (key == null || !java.util.Objects.equals(token, key.token())) {
            return json
                    ? new Fault(
                            400,
                            "UnrecognizedClientException",
                            "The security token included in the request is invalid.")
                    : new Fault(403, "InvalidClientTokenId", "The security token included in the request is invalid.");
        }
        if (!clock.instant().isBefore(key.until())) {
            return json
                    ? new Fault(400, "ExpiredTokenException", "The security token included in the request is expired")
                    : new Fault(403, "ExpiredToken", "The security token included in the request is expired");
        }
        Duration skew =
                Duration.between(AwsSignature.time(request), clock.instant()).abs();
        String service = json ? action.startsWith("AmazonSSM") ? "ssm" : "secretsmanager" : "sts";
        boolean right = skew.compareTo(SKEW) <= 0 && AwsSignature.verifies(request, key.secret(), service);
        String why =
                skew.compareTo(SKEW) > 0 ? "Signature expired" : "The request signature we calculated does not match";
        return right
                ? null
                : json
                        ? new Fault(400, "InvalidSignatureException", why)
                        : new Fault(403, "SignatureDoesNotMatch", why);
    }

    private Key key(TestOrigin.Received request) {
        String id = AwsSignature.keyId(request);
        return id == null ? new Key("", null, "anonymous", Instant.MAX, null) : keys.get(id);
    }

    private static void permit(Key caller, String action, String resource) {
        if (!AwsPolicies.allows(caller.policy(), action, resource, ACCOUNT)) {
            throw new Refused(
                    400, "AccessDeniedException", "User: " + caller.arn() + " is not authorized to perform: " + action);
        }
    }

    private TestOrigin.Answer secret(JsonNode asked, Key caller) {
        String name = asked.get("SecretId").asString();
        String arn = "arn:aws:secretsmanager:eu-central-1:" + ACCOUNT + ":secret:" + name + "-AbCdEf";
        permit(caller, "secretsmanager:GetSecretValue", arn);
        String stage = asked.path("VersionStage").asString("AWSCURRENT");
        String id = asked.path("VersionId").asString("");
        Version found = secrets.getOrDefault(name, List.of()).stream()
                .filter(version -> id.isEmpty()
                        ? version.stages().contains(stage)
                        : version.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new Refused(
                        400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret."));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ARN", arn);
        answer.put("Name", name);
        answer.put("VersionId", found.id());
        answer.put("SecretString", found.value());
        answer.put("VersionStages", found.stages());
        answer.put("CreatedDate", 1.7e9);
        return json(200, answer);
    }

    private TestOrigin.Answer parameter(JsonNode asked, Key caller) {
        String[] name = asked.get("Name").asString().split(":", 2);
        String arn = "arn:aws:ssm:eu-central-1:" + ACCOUNT + ":parameter" + name[0];
        permit(caller, "ssm:GetParameter", arn);
        List<Parameter> versions = parameters.getOrDefault(name[0], List.of());
        if (versions.isEmpty()) {
            throw new Refused(400, "ParameterNotFound", "");
        }
        Parameter found = name.length == 1
                ? versions.getLast()
                : versions.stream()
                        .filter(version -> name[1].equals(version.label()) || name[1].equals("" + version.version()))
                        .findFirst()
                        .orElseThrow(() ->
                                new Refused(400, "ParameterVersionNotFound", "Systems Manager could not find version"));
        boolean sealed = found.type().equals("SecureString")
                && !asked.path("WithDecryption").asBoolean(false);
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("Name", name[0]);
        parameter.put("Type", found.type());
        parameter.put("Value", sealed ? "AQICAHsealed" : found.value());
        parameter.put("Version", found.version());
        parameter.put("ARN", arn);
        parameter.put("LastModifiedDate", 1.7e9 + found.version());
        parameter.put("DataType", "text");
        return json(200, Map.of("Parameter", parameter));
    }

    private TestOrigin.Answer identity(Key caller) {
        return xml(
                "GetCallerIdentity",
                "<Arn>" + caller.arn() + "</Arn><UserId>AIDA</UserId><Account>" + ACCOUNT + "</Account>");
    }

    private TestOrigin.Answer assume(Map<String, String> form, Key caller) {
        Role role = roles.get(form.get("RoleArn"));
        boolean trusted = role != null
                && caller.arn().startsWith(role.trusted())
                && (role.externalId() == null || role.externalId().equals(form.get("ExternalId")));
        if (!trusted) {
            throw new Refused(
                    403,
                    "AccessDenied",
                    "User: " + caller.arn() + " is not authorized to perform: sts:AssumeRole on resource: "
                            + form.get("RoleArn"));
        }
        if (caller.token() != null && seconds(form) > 3600) {
            throw new Refused(
                    400,
                    "ValidationError",
                    "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining");
        }
        return opened("AssumeRole", form, role);
    }

    private TestOrigin.Answer assumeByToken(Map<String, String> form) {
        Role role = roles.get(form.get("RoleArn"));
        String subject = webIdentities.get(form.get("WebIdentityToken"));
        if (subject == null) {
            throw new Refused(
                    400, "InvalidIdentityToken", "Couldn't retrieve verification key from your identity provider");
        }
        if (subject.equals("expired")) {
            throw new Refused(400, "ExpiredTokenException", "Token expired: current date/time 1 must be before 0");
        }
        if (role == null || !role.trusted().equals(subject)) {
            throw new Refused(403, "AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity");
        }
        return opened("AssumeRoleWithWebIdentity", form, role);
    }

    private static long seconds(Map<String, String> form) {
        return Long.parseLong(form.getOrDefault("DurationSeconds", "3600"));
    }

    private TestOrigin.Answer opened(String action, Map<String, String> form, Role role) {
        long seconds = seconds(form);
        if (seconds < 900 || seconds > role.longest().toSeconds()) {
            throw new Refused(
                    400,
                    "ValidationError",
                    "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.");
        }
        if (!form.getOrDefault("RoleSessionName", "").matches("[\\w+=,.@-]{2,64}")) {
            throw new Refused(400, "ValidationError", "1 validation error detected: roleSessionName");
        }
        String policy = form.get("Policy");
        if (policy != null && policy.length() > 2048) {
            throw new Refused(400, "ValidationError", "1 validation error detected: policy");
        }
        String id = "ASIA" + String.format("%012d", serial.incrementAndGet());
        String name = form.get("RoleArn").replace(":iam:", ":sts:").replace(":role/", ":assumed-role/");
        Instant until = clock.instant().plusSeconds(seconds);
        Key key = new Key(
                "session/secret/" + id, "FwoGZXIvYXdz/" + id, name + "/" + form.get("RoleSessionName"), until, policy);
        keys.put(id, key);
        opened.add(new Opened(form, id));
        return xml(
                action,
                "<Credentials><AccessKeyId>" + id + "</AccessKeyId><SecretAccessKey>" + key.secret()
                        + "</SecretAccessKey><SessionToken>" + key.token() + "</SessionToken><Expiration>"
                        + until.truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                        + "</Expiration></Credentials><PackedPolicySize>6</PackedPolicySize>");
    }

    private static Map<String, String> form(String text) {
        Map<String, String> form = new LinkedHashMap<>();
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            form.put(
                    URLDecoder.decode(pair.substring(0, equals), UTF_8),
                    URLDecoder.decode(pair.substring(equals + 1), UTF_8));
        }
        return form;
    }

    private TestOrigin.Answer refused(boolean json, Fault fault) {
        return json
                ? json(fault.status(), Map.of("__type", fault.code(), "message", fault.message()))
                : status(
                        fault.status(),
                        "text/xml",
                        "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>"
                                + fault.code() + "</Code><Message>" + fault.message()
                                + "</Message></Error><RequestId>1</RequestId></ErrorResponse>");
    }

    private TestOrigin.Answer json(int status, Map<String, ?> body) {
        return status(status, "application/x-amz-json-1.1", JSON.writeValueAsString(body));
    }

    private TestOrigin.Answer xml(String action, String result) {
        return status(
                200,
                "text/xml",
                "<" + action + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" + action + "Result>"
                        + result + "</" + action
                        + "Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></" + action
                        + "Response>");
    }

    private TestOrigin.Answer status(int status, String type, String body) {
        String date =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.instant().atOffset(ZoneOffset.UTC));
        List<String> fields = new ArrayList<>(List.of("Content-Type: " + type, "Date: " + date));
        return TestOrigin.status(status, body, fields.toArray(String[]::new));
    }

    @Override
    public void close() {
        origin.close();
    }
}
