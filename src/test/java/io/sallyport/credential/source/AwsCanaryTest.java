package io.sallyport.credential.source;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.AppenderBase;
import io.sallyport.TestWireLogs;
import io.sallyport.grant.TestGrants;
import io.sallyport.testing.AwsStandIn;
import io.sallyport.testing.Needle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The broker's key, a secret, a session and a token go through every kind, in success and in failure, with all logs at their loudest. */
class AwsCanaryTest {

    private static final String TOKEN = "eyJhbGciOi.cAnaryToken0123456789.signature";
    private static final String VALUE = "cAnary-vAlue/+0123456789";

    @TempDir
    Path folder;

    private final LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final TurboFilter wires = TestWireLogs.filter();
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final AppenderBase<ILoggingEvent> ear = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            said.add(event.getThreadName() + " " + event.getLoggerName() + " " + event.getFormattedMessage() + " "
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    };
    private Level before;
    private AwsStandInCase standIn;

    @BeforeEach
    void listen() {
        standIn = new AwsStandInCase(folder);
        before = root.getLevel();
        ear.setContext(logs);
        ear.start();
        logs.addTurboFilter(wires);
        root.addAppender(ear);
        root.setLevel(Level.TRACE);
    }

    @AfterEach
    void close() {
        root.setLevel(before);
        root.detachAppender(ear);
        logs.getTurboFilterList().remove(wires);
        standIn.close();
    }

    @Test
    void nothing_of_any_secret_is_in_a_log_a_cause_a_thread_or_a_text_form() throws Exception {
        standIn.aws.secrets.put(
                "prod/agents", List.of(new AwsStandIn.Version(AwsStandInCase.FIRST, VALUE, List.of("AWSCURRENT"))));
        standIn.aws.parameters.put("/prod/agents", List.of(new AwsStandIn.Parameter("SecureString", VALUE, 1, null)));
        standIn.aws.webIdentities.put(TOKEN, "sub");
        standIn.aws.roles.put(
                "arn:aws:iam::111122223333:role/web", new AwsStandIn.Role("sub", null, java.time.Duration.ofHours(1)));
        standIn.environment.put("SALLYPORT_SECRET_TOKEN", TOKEN);
        List<Needle> needles = new ArrayList<>(List.of(
                Needle.of("key", AwsStandInCase.KEY_SECRET), Needle.of("token", TOKEN), Needle.of("value", VALUE)));
        for (String document : List.of(
                "kind: aws-secrets-manager\nsecret: prod/agents",
                "kind: aws-secrets-manager\nsecret: prod/agents\nfield: x",
                "kind: aws-ssm\nparameter: /prod/agents",
                "kind: aws-sts\nrole: \"" + AwsStandInCase.ROLE + "\"",
                "kind: aws-sts\nrole: \"arn:aws:iam::111122223333:role/web\"\naccess: {token: {kind: env, name: SALLYPORT_SECRET_TOKEN}}")) {
            SecretSource source = standIn.source(document);
            said.add(source.toString());
            ask(source, needles);
            for (String code : List.of("AccessDenied", "ThrottlingException", "InvalidIdentityToken", "Unknown")) {
                for (int i = 0; i < 4; i++) {
                    standIn.aws.fail(400, code, VALUE + " " + TOKEN + " " + AwsStandInCase.KEY_SECRET);
                }
                ask(source, needles);
                while (standIn.aws.pending() > 0) {
                    ask(source, needles);
                }
            }
        }
        Thread.getAllStackTraces().keySet().forEach(thread -> said.add(thread.getName()));
        assertThat(standIn.aws.calls).hasSizeGreaterThan(30);
        String all = String.join("\n", said);
        assertThat(needles)
                .hasSizeGreaterThan(4)
                .allSatisfy(needle -> assertThat(needle.in(all)).isEmpty());
    }

    private void ask(SecretSource source, List<Needle> needles) throws Exception {
        try {
            Fetch fetch = AwsCase.fetch(
                    standIn.tools(),
                    null,
                    TestGrants.with(
                            draft -> draft.expires = standIn.ours.instant().plusSeconds(1200)));
            said.add(fetch.toString());
            Fetched fetched = source.fetch(fetch);
            said.add(fetched.toString());
            if (source instanceof AwsRoleSource) {
                needles.add(Needle.of("session secret", AwsCase.part(fetched, "secret-access-key")));
                needles.add(Needle.of("session token", AwsCase.part(fetched, "session-token")));
            }
        } catch (SourceFault fault) {
            StringWriter text = new StringWriter();
            fault.printStackTrace(new PrintWriter(text, true));
            said.add(text.toString());
        }
    }
}
