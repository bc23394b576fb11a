package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.HostName;
import io.sallyport.http.IpLiteral;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

    private final AddressGuard guard = new ReservedAddressGuard(port -> port == 8081);

    private static InetAddress address(String literal) {
        String host = HostName.canonical(literal).orElseThrow();
        return Cidr.address(IpLiteral.parse(host).orElseThrow().bytes());
    }

    private AddressGuard.Judgement judge(String literal, String... permitted) {
        return guard.judge(
                List.of(address(literal)),
                443,
                List.of(permitted).stream().map(Cidr::of).toList());
    }

    /** RW-61, and one address at each end of each range. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "[::ffff:169.254.169.254]",
                "[::ffff:a9fe:a9fe]",
                "[fd00:ec2::254]",
                "0.0.0.0",
                "127.0.0.1",
                "[::1]",
                "[::]",
                "10.0.0.1",
                "[fe80::1]",
                "100.64.0.1",
                "0.255.255.255",
                "10.255.255.255",
                "100.127.255.255",
                "127.255.255.255",
                "168.63.129.16",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.0",
                "192.168.255.255",
                "198.18.0.0",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "100.100.100.200",
                "[64:ff9b::a9fe:a9fe]",
                "[64:ff9b::127.0.0.1]",
                "[64:ff9b:1::8.8.8.8]",
                "[2002:7f00:1::]",
                "[2002:808:808::1]",
                "[2001::1]",
                "[2001:0:1:2::]",
                "[2001:10::1]",
                "[2001:db8::1]",
                "[3fff::1]",
                "[fc00::1]",
                "[fdff::1]",
                "[febf::1]",
                "[fec0::1]",
                "[ff02::1]",
                "[::127.0.0.1]",
                "[::8.8.8.8]",
                "[100::1]",
                "[5f00::1]",
                "[4000::1]",
                "[1::1]",
                "[::ffff:0:127.0.0.1]"
            })
    void a_reserved_address_in_any_spelling_and_embedding_is_forbidden(String literal) {
        assertThat(judge(literal)).isInstanceOf(AddressGuard.Judgement.Forbidden.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "[2606:4700::1111]",
                "[2a00:1450::1]",
                "[64:ff9b::8.8.8.8]",
                "[2001:200::1]",
                "[2003::1]"
            })
    void a_public_address_is_allowed(String literal) {
        assertThat(judge(literal)).isEqualTo(new AddressGuard.Judgement.Allowed(List.of(address(literal))));
    }

    @Test
    void a_range_that_the_document_names_is_allowed_and_no_other() {
        assertThat(judge("10.1.2.3", "10.1.0.0/16")).isInstanceOf(AddressGuard.Judgement.Allowed.class);
        assertThat(judge("10.2.0.1", "10.1.0.0/16")).isInstanceOf(AddressGuard.Judgement.Forbidden.class);
        assertThat(judge("[::ffff:10.1.2.3]", "10.1.0.0/16")).isInstanceOf(AddressGuard.Judgement.Allowed.class);
        assertThat(judge("[fd00::1]", "fd00::/8")).isInstanceOf(AddressGuard.Judgement.Allowed.class);
        assertThat(judge("[fc00::1]", "fd00::/8")).isInstanceOf(AddressGuard.Judgement.Forbidden.class);
        assertThat(judge("127.0.0.1", "127.0.0.1")).isInstanceOf(AddressGuard.Judgement.Allowed.class);
        assertThat(judge("127.0.0.2", "127.0.0.1")).isInstanceOf(AddressGuard.Judgement.Forbidden.class);
    }

    /** RW-63: a mixed answer is refused whole. */
    @Test
    void one_forbidden_address_forbids_them_all() {
        assertThat(guard.judge(List.of(address("8.8.8.8"), address("127.0.0.1")), 443, List.of()))
                .isInstanceOf(AddressGuard.Judgement.Forbidden.class);
        assertThat(guard.judge(List.of(), 443, List.of())).isInstanceOf(AddressGuard.Judgement.Forbidden.class);
    }

    @Test
    void the_brokers_own_doors_are_out_whatever_a_document_names() throws Exception {
        List<Cidr> everything = List.of(Cidr.of("0.0.0.0/0"), Cidr.of("::/0"));
        for (String own : List.of("127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0", "[::]", "[64:ff9b::127.0.0.1]")) {
            assertThat(guard.judge(List.of(address(own)), 8081, everything))
                    .as(own)
                    .isInstanceOf(AddressGuard.Judgement.Forbidden.class);
            assertThat(guard.judge(List.of(address(own)), 8082, everything))
                    .as(own)
                    .isInstanceOf(AddressGuard.Judgement.Allowed.class);
        }
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress local : network.inetAddresses().toList()) {
                assertThat(guard.judge(List.of(local), 8081, everything))
                        .isInstanceOf(AddressGuard.Judgement.Forbidden.class);
            }
        }
        assertThat(guard.judge(List.of(address("8.8.8.8")), 8081, List.of()))
                .isInstanceOf(AddressGuard.Judgement.Allowed.class);
    }

    /** {@code ip route add local} makes a range this machine's without an interface that says so. */
    @Test
    void the_routes_tell_which_addresses_are_our_own() throws Exception {
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress local : network.inetAddresses().toList()) {
                assertThat(ReservedAddressGuard.routedToItself(local))
                        .as(local.toString())
                        .isTrue();
            }
        }
        assertThat(ReservedAddressGuard.routedToItself(address("127.77.77.77"))).isTrue();
        assertThat(ReservedAddressGuard.routedToItself(address("8.8.8.8"))).isFalse();
        assertThat(ReservedAddressGuard.routedToItself(address("[2606:4700::1111]")))
                .isFalse();
    }

    @Test
    void the_reason_names_the_range() {
        assertThat(judge("169.254.169.254"))
                .isEqualTo(
                        new AddressGuard.Judgement.Forbidden(
                                "the address is in 169.254.0.0/16 (link-local, cloud metadata), which the document does not name"));
    }
}
