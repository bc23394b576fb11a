package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Origin;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way a connection takes, decided without a socket. */
class EgressTest {

    private final AddressGuard guard = new ReservedAddressGuard(port -> port == 8081);

    @TempDir
    Path folder;

    private static UpstreamProxy proxy(String target, String... noProxy) {
        return UpstreamProxy.parse("http://proxy.corp.test:3128", target, List.of(noProxy), null);
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Resolver.Resolution answer(String... literals) {
        List<InetAddress> all = new ArrayList<>();
        for (String literal : literals) {
            all.add(address(literal));
        }
        return new Resolver.Resolution.Resolved(all);
    }

    private Egress.Plan plan(UpstreamProxy proxy, String origin, String... answer) {
        List<Cidr> permitted = List.of(Cidr.of("127.0.0.0/8"), Cidr.of("10.1.0.0/16"), Cidr.of("169.254.0.0/16"));
        return new Egress(guard, proxy).plan(Origin.parse(origin).orElseThrow(), answer(answer), permitted);
    }

    private static Egress.Plan ways(Way... ways) {
        return new Egress.Plan.Ways(List.of(ways));
    }

    private static Way direct(String address) {
        return new Way(address(address), false);
    }

    private static Way proxied(String address) {
        return new Way(address(address), true);
    }

    private static final Way BY_NAME = new Way(null, true);

    @Test
    void without_a_proxy_each_judged_address_is_a_way_in_its_order() {
        Egress egress = new Egress(guard, null);
        Origin origin = Origin.parse("https://api.up.test").orElseThrow();
        assertThat(egress.plan(origin, answer("8.8.8.8", "2606:4700::1111"), List.of()))
                .isEqualTo(ways(direct("8.8.8.8"), direct("2606:4700::1111")));
        assertThat(egress.plan(origin, answer("8.8.8.8", "10.0.0.1"), List.of()))
                .isInstanceOf(Egress.Plan.Forbidden.class);
        assertThat(egress.plan(origin, new Resolver.Resolution.Failed("no such name"), List.of()))
                .isEqualTo(new Egress.Plan.Unresolved("no such name"));
    }

    @Test
    void no_proxy_names_hosts_suffixes_addresses_and_ranges() {
        UpstreamProxy proxy =
                proxy("address", "Exact.up.test.", "*.below.test", ".dotted.test", "8.8.8.0/24", "9.9.9.9");
        for (String around : List.of(
                "https://exact.up.test", "https://a.below.test", "http://a.b.below.test", "https://a.dotted.test")) {
            assertThat(plan(proxy, around, "1.1.1.1")).as(around).isEqualTo(ways(direct("1.1.1.1")));
        }
        for (String through : List.of(
                "https://below.test",
                "https://notbelow.test",
                "https://a.exact.up.test",
                "https://exact.up.test.evil.test")) {
            assertThat(plan(proxy, through, "1.1.1.1")).as(through).isEqualTo(ways(proxied("1.1.1.1")));
        }
        assertThat(plan(proxy, "https://any.test", "8.8.8.8", "8.8.4.4", "9.9.9.9"))
                .isEqualTo(ways(direct("8.8.8.8"), proxied("8.8.4.4"), direct("9.9.9.9")));
    }

    /** A document that permits them means this machine and its link, not the proxy's. */
    @Test
    void loopback_and_link_local_addresses_are_never_the_proxys() {
        assertThat(plan(proxy("address"), "http://a.test", "127.0.0.1")).isEqualTo(ways(direct("127.0.0.1")));
        assertThat(plan(proxy("name"), "https://a.test", "127.0.0.1")).isEqualTo(ways(direct("127.0.0.1")));
        assertThat(plan(proxy("name"), "https://a.test", "169.254.1.1")).isEqualTo(ways(direct("169.254.1.1")));
        assertThat(plan(proxy("address"), "https://a.test", "10.1.2.3")).isEqualTo(ways(proxied("10.1.2.3")));
    }

    @Test
    void by_name_is_for_what_proves_its_name() {
        UpstreamProxy named = proxy("name", "10.1.9.0/24", "around.test");
        assertThat(plan(named, "https://a.test", "8.8.8.8", "8.8.4.4")).isEqualTo(ways(BY_NAME));
        assertThat(plan(named, "http://a.test", "8.8.8.8")).isEqualTo(ways(proxied("8.8.8.8")));
        assertThat(plan(named, "https://8.8.8.8", "8.8.8.8")).isEqualTo(ways(proxied("8.8.8.8")));
        assertThat(plan(named, "https://a.test", "10.1.9.1", "8.8.8.8")).isEqualTo(ways(direct("10.1.9.1"), BY_NAME));
        assertThat(plan(named, "https://a.test", "8.8.8.8", "10.2.0.1")).isInstanceOf(Egress.Plan.Forbidden.class);
        Egress egress = new Egress(guard, named);
        var failed = new Resolver.Resolution.Failed("no such name");
        assertThat(egress.plan(Origin.parse("https://a.test").orElseThrow(), failed, List.of()))
                .isEqualTo(ways(BY_NAME));
        for (String never : List.of("http://a.test", "https://around.test")) {
            assertThat(egress.plan(Origin.parse(never).orElseThrow(), failed, List.of()))
                    .isInstanceOf(Egress.Plan.Unresolved.class);
        }
    }

    @Test
    void the_proxy_may_stand_in_any_range_but_never_at_a_door_of_ours() {
        UpstreamProxy own = UpstreamProxy.parse("http://proxy.corp.test:8081", "address", List.of(), null);
        assertThat(new Egress(guard, own).toProxy(own, answer("10.9.9.9"))).isEqualTo(ways(direct("10.9.9.9")));
        assertThat(new Egress(guard, own).toProxy(own, answer("127.0.0.1"))).isInstanceOf(Egress.Plan.Forbidden.class);
    }

    @Test
    void a_tunnel_is_asked_for_with_its_port_and_brackets_where_they_belong() {
        UpstreamProxy proxy = proxy("address");
        Origin origin = Origin.parse("https://api.up.test").orElseThrow();
        assertThat(text(proxy, origin, proxied("2606:4700::1111")))
                .startsWith("CONNECT [2606:4700::1111]:443 HTTP/1.1\r\nHost: [2606:4700::1111]:443\r\n");
        assertThat(text(proxy, origin, BY_NAME))
                .startsWith("CONNECT api.up.test:443 HTTP/1.1\r\n")
                .doesNotContain("Authorization");
        assertThat(text(proxy, Origin.parse("http://api.up.test").orElseThrow(), proxied("8.8.8.8")))
                .startsWith("CONNECT 8.8.8.8:80 ");
    }

    private static String text(UpstreamProxy proxy, Origin origin, Way way) {
        return new String(proxy.request(origin, way), StandardCharsets.US_ASCII);
    }

    @Test
    void a_setting_that_can_not_be_is_named_with_what_is_allowed() {
        assertThatThrownBy(() -> UpstreamProxy.parse("http://me:hunter2@proxy.test:3128", "address", List.of(), null))
                .hasMessageContaining("sallyport.proxy.upstream-proxy-credential")
                .hasMessageNotContaining("hunter2");
        for (String url : List.of(
                "proxy.test:3128",
                "socks5://proxy.test:1080",
                "http://proxy.test:3128/",
                "http://:3128",
                "http://127.1:3128")) {
            assertThatThrownBy(() -> UpstreamProxy.parse(url, "address", List.of(), null))
                    .as(url)
                    .hasMessageContaining("sallyport.proxy.upstream-proxy");
        }
        assertThatThrownBy(() -> UpstreamProxy.parse("http://p.test:1", "both", List.of(), null))
                .hasMessageContaining("address or name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "a/b", "10.0.0.1/8", "a b", "*.*.test", "http://a.test", "a.test:443"})
    void a_line_of_no_proxy_that_can_not_be_is_an_error(String line) {
        assertThatThrownBy(() -> proxy("address", line)).hasMessageContaining("sallyport.proxy.no-proxy");
    }

    @Test
    void a_credential_lies_in_a_file_of_its_owner_or_in_a_variable_and_is_never_shown() throws Exception {
        Path file = Files.writeString(folder.resolve("who"), "me:hunter2\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        UpstreamProxy known = UpstreamProxy.parse("http://p.test:1", "address", List.of(), "file:" + file);
        assertThat(known.toString()).doesNotContain("hunter2").doesNotContain("bWU6aHVudGVyMg");
        assertThat(text(known, Origin.parse("https://a.test").orElseThrow(), BY_NAME))
                .contains("\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        refused("file:" + file, "chmod go-rwx");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        for (String never : List.of("", "me", ":hunter2", "me:hunt\ner2", "me:hünter2", "me:" + "x".repeat(1100))) {
            Files.writeString(file, never, StandardCharsets.ISO_8859_1);
            refused("file:" + file, "USER:PASSWORD");
        }
        refused("file:" + folder.resolve("none"), "can't be read");
        refused("env:SALLYPORT_SECRET_THAT_IS_NOT_SET", "is not set");
        refused("me:hunter2", "file:PATH or env:NAME");
    }

    private static void refused(String place, String why) {
        assertThatThrownBy(() -> UpstreamProxy.parse("http://p.test:1", "address", List.of(), place))
                .hasMessageContaining("sallyport.proxy.upstream-proxy-credential")
                .hasMessageContaining(why)
                .hasMessageNotContaining("hunter2");
    }
}
