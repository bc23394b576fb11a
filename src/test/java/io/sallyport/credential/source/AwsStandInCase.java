package io.sallyport.credential.source;

import io.sallyport.net.TestGuard;
import io.sallyport.testing.AwsStandIn;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stand-in with a secret, a parameter and roles, and the broker's sources before it. */
final class AwsStandInCase implements AutoCloseable {

    static final String KEY_ID = "AKIDBROKER0000000001";
    static final String KEY_SECRET = "cAnary/kEy+0123456789abcdefghijklmnop/00";
    static final String ROLE = "arn:aws:iam::111122223333:role/site-fixer";
    static final String FIRST = "00000000-1111-2222-3333-444444444444";
    static final String SECOND = "55555555-6666-7777-8888-999999999999";

    private static final TestCertificates CA = TestCertificates.authority();

    final TestClock theirs = new TestClock();
    final TestClock ours = new TestClock();
    final AwsStandIn aws = new AwsStandIn(CA.issue("aws.up.test"), theirs);
    final Map<String, String> environment = new HashMap<>();
    final Path folder;

    AwsStandInCase(Path folder) {
        this.folder = folder;
        CA.writeRoot(folder.resolve("aws.pem"));
        environment.put("SALLYPORT_SECRET_AWS", KEY_ID + ":" + KEY_SECRET);
        aws.user(KEY_ID, KEY_SECRET, "broker");
        aws.roles.put(
                ROLE,
                new AwsStandIn.Role("arn:aws:iam::" + AwsStandIn.ACCOUNT + ":user/broker", null, Duration.ofHours(12)));
        aws.secrets.put("prod/agents", List.of(new AwsStandIn.Version(FIRST, "first-value", List.of("AWSCURRENT"))));
        aws.parameters.put(
                "/prod/agents",
                List.of(
                        new AwsStandIn.Parameter("SecureString", "parameter-one", 1, "steady"),
                        new AwsStandIn.Parameter("SecureString", "parameter-two", 2, null)));
    }

    String place() {
        return "region: eu-central-1\nendpoint: " + aws.origin().url("aws.up.test")
                + "\ntrust: aws.pem\naddresses: [127.0.0.0/8]";
    }

    SecretSource source(String keys) {
        String sts = keys.contains("aws-sts")
                ? ""
                : "\nsts-endpoint: " + aws.origin().url("aws.up.test");
        String access = keys.contains("access:") ? "" : "\naccess: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}";
        return AwsCase.source(place() + sts + access + "\n" + keys, folder);
    }

    SourceTools tools() {
        return AwsCase.tools(TestGuard.exchange(), ours, folder, environment);
    }

    Fetched fetched(SecretSource source, @Nullable Object known) throws SourceFault, InterruptedException {
        return source.fetch(AwsCase.fetch(tools(), known, null));
    }

    @Override
    public void close() {
        aws.close();
    }
}
