package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.proxy.ProxySettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SettingsTest {

    @Test
    void without_a_word_the_defaults_are_those_of_the_documentation() {
        Settings settings = bind(Map.of());
        assertThat(settings.issuer()).hasToString("http://localhost:8080");
        assertThat(settings.data()).isEqualTo(java.nio.file.Path.of("data"));
        assertThat(settings.rules()).hasToString("config/rules");
        assertThat(settings.secrets()).hasToString("config/secrets");
        assertThat(settings.keyPlace()).startsWith("file:" + System.getProperty("user.home"));
        assertThat(settings.operator().port()).isEqualTo(8081);
        assertThat(settings.operator().bind()).isEqualTo("127.0.0.1");
        assertThat(settings.proxy().port()).isEqualTo(3128);
        assertThat(settings.proxy().bind()).isEqualTo("127.0.0.1");
        assertThat(settings.tlsTerminatedInFront()).isFalse();
    }

    @Test
    void the_deadlines_of_the_hop_are_its_own_defaults_and_each_can_be_set() {
        RoomSettings rooms = new RoomSettings();
        assertThat(rooms.proxySettings(bind(Map.of()))).isEqualTo(ProxySettings.of(3128, "127.0.0.1", null));
        ProxySettings set = rooms.proxySettings(bind(Map.of(
                "sallyport.proxy.deadlines.pooled-idle", "4s",
                "sallyport.proxy.deadlines.patience", "20ms",
                "sallyport.proxy.names", "Hop.Acme.internal,localhost")));
        assertThat(set.deadlines().pooledIdle()).hasSeconds(4);
        assertThat(set.deadlines().patience()).hasMillis(20);
        assertThat(set.names()).containsExactly("hop.acme.internal", "localhost");
    }

    @Test
    void the_limits_of_the_hop_can_be_set_and_those_that_are_not_follow_from_the_connections() {
        RoomSettings rooms = new RoomSettings();
        ProxySettings set = rooms.proxySettings(bind(Map.of(
                "sallyport.proxy.limits.connections", "400",
                "sallyport.proxy.limits.content", "100MB",
                "sallyport.proxy.limits.body-rate", "1KB",
                "sallyport.proxy.deadlines.recognition", "5s")));
        assertThat(set.limits().connectionsPerSource()).isEqualTo(200);
        assertThat(set.limits().connectionsPerTask()).isEqualTo(100);
        assertThat(set.limits().content()).isEqualTo(100L * 1024 * 1024);
        assertThat(set.limits().bodyRate()).isEqualTo(1024);
        assertThat(set.deadlines().recognition()).hasSeconds(5);
        Settings none = bind(Map.of("sallyport.proxy.limits.requests-per-task", "0"));
        assertThatThrownBy(() -> rooms.proxySettings(none))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.proxy.limits.requests-per-task");
    }

    @Test
    void a_deadline_or_a_name_that_can_not_be_is_named_by_its_key() {
        RoomSettings rooms = new RoomSettings();
        for (String never : List.of("0s", "2d", "-1s")) {
            Settings settings = bind(Map.of("sallyport.proxy.deadlines.dial", never));
            assertThatThrownBy(() -> rooms.proxySettings(settings))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("sallyport.proxy.deadlines.dial");
        }
        Settings settings = bind(Map.of("sallyport.proxy.names", "no name"));
        assertThatThrownBy(() -> rooms.proxySettings(settings))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.proxy.names");
    }

    @Test
    void an_authority_is_a_file_that_nobody_else_can_read(@TempDir java.nio.file.Path home) throws Exception {
        java.nio.file.Path file = RunningBroker.write(home, "ca/authority.pem", "not looked at");
        Settings settings = bind(Map.of(
                "sallyport.proxy.authority", "file:" + file,
                "sallyport.data", home.resolve("data").toString(),
                "sallyport.rules", home.resolve("rules").toString(),
                "sallyport.secrets", home.resolve("secrets").toString(),
                "sallyport.key", "file:" + home.resolve("key")));
        assertThat(new RoomSettings().proxySettings(settings).authority()).isEqualTo(file);
        Folders.prepare(settings);

        java.nio.file.Files.setPosixFilePermissions(
                file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> Folders.prepare(settings))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.proxy.authority: " + file + ": can be read by others");
        assertThatThrownBy(() -> new RoomSettings().proxySettings(bind(Map.of("sallyport.proxy.authority", "ca.pem"))))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("Allowed: file:PATH");
    }

    @Test
    void the_proxy_at_the_way_out_is_read_and_what_is_only_said_of_one_is_an_error() {
        RoomSettings rooms = new RoomSettings();
        assertThat(rooms.netSettings(bind(Map.of())).proxy()).isNull();
        var proxy = rooms.netSettings(bind(Map.of(
                        "sallyport.proxy.upstream-proxy", "http://proxy.acme.internal:3128",
                        "sallyport.proxy.no-proxy", "*.acme.internal,10.0.0.0/8",
                        "sallyport.proxy.upstream-proxy-target", "name")))
                .proxy();
        assertThat(proxy).isNotNull();
        assertThat(proxy.place()).hasToString("http://proxy.acme.internal:3128");
        assertThat(proxy.around()).hasSize(2);
        for (Map<String, Object> never : List.<Map<String, Object>>of(
                Map.of("sallyport.proxy.no-proxy", "a.test"),
                Map.of("sallyport.proxy.upstream-proxy-credential", "env:X"),
                Map.of("sallyport.proxy.upstream-proxy", "http://u:p@proxy.test:3128"),
                Map.of("sallyport.proxy.name-answers.kept-at-least", "500ms"))) {
            Settings settings = bind(never);
            assertThatThrownBy(() -> rooms.netSettings(settings))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("sallyport.proxy.");
        }
    }

    @Test
    void lists_and_maps_are_read_in_each_spelling() {
        Settings settings = bind(Map.of(
                "sallyport.proxy.name-servers[0]", "10.0.0.53",
                "sallyport.proxy.nameServers[1]", "10.0.0.54:5353",
                "sallyport.blast-radius.high", "sealed-vm,air-gapped"));
        assertThat(settings.proxy().nameServers()).containsExactly("10.0.0.53", "10.0.0.54:5353");
        assertThat(settings.blastRadius()).containsEntry("high", List.of("sealed-vm", "air-gapped"));
    }

    @Test
    void an_unknown_key_refuses_the_start_and_says_what_is_allowed() {
        assertThatThrownBy(() -> bind(Map.of("sallyport.operater.port", "1")))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("Unknown setting: sallyport.operater.port")
                .hasMessageContaining("sallyport.operator.port");
        assertThatThrownBy(() -> bind(Map.of("sallyport.data.folder", "x"))).isInstanceOf(StartRefused.class);
        assertThatThrownBy(() -> bind(Map.of("sallyport.proxy.port[0]", "1"))).isInstanceOf(StartRefused.class);
        assertThatThrownBy(() -> bind(Map.of("sallyport.proxy.name-servers.x", "1")))
                .isInstanceOf(StartRefused.class);
    }

    @Test
    void a_value_that_can_not_be_read_is_named_by_its_key() {
        assertThatThrownBy(() -> bind(Map.of("sallyport.operator.port", "many")))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.operator.port");
        assertThatThrownBy(() -> bind(Map.of("sallyport.proxy.deadlines.idle", "15min")))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.proxy.deadlines.idle")
                .hasMessageContaining("15min")
                .hasMessageEndingWith("as in 15m");
        assertThatThrownBy(() -> bind(Map.of("sallyport.proxy.limits.content", "20MiB")))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("sallyport.proxy.limits.content")
                .hasMessageContaining("20MiB")
                .hasMessageEndingWith("as in 20MB");
    }

    @Test
    void environment_variables_of_secrets_are_no_settings_and_a_misspelt_setting_is_found() {
        SettingNames names = new SettingNames();
        assertThat(names.unknownVariables(List.of("SALLYPORT_SECRET_GITHUB", "SALLYPORT_JAR", "PATH")))
                .isEmpty();
        assertThat(names.unknownVariables(List.of(
                        "SALLYPORT_PROXY_PORT",
                        "SALLYPORT_PROXY_NAMESERVERS",
                        "SALLYPORT_PROXY_NAME_SERVERS_0_",
                        "SALLYPORT_OPERATOR_TLSBUNDLE")))
                .isEmpty();
        assertThat(names.unknownVariables(List.of("SALLYPORT_PROXY_PROT", "SALLYPORT_OPERATOR_TOKEN")))
                .containsExactly("SALLYPORT_OPERATOR_TOKEN", "SALLYPORT_PROXY_PROT");
    }

    @Test
    void an_environment_variable_sets_what_it_names() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource(
                                "systemEnvironment", Map.of("SALLYPORT_OPERATOR_PORT", "9999")));
        assertThat(RootWiring.bind(environment).operator().port()).isEqualTo(9999);
    }

    private static Settings bind(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return RootWiring.bind(environment);
    }
}
