package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.sallyport.proxy.tls.Leaf;
import io.sallyport.proxy.tls.LeafCertificates;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of leaves beyond their cache. */
class HopTlsTest {

    private long minted;

    private final LeafCertificates leaves = new LeafCertificates() {
        @Override
        public Leaf leaf(String host) {
            throw new IllegalStateException("nothing is minted here");
        }

        @Override
        public boolean ready(String host) {
            return false;
        }

        @Override
        public Optional<Leaf> cached(String host) {
            return Optional.empty();
        }

        @Override
        public long minted() {
            return minted;
        }
    };

    @Test
    void leaves_of_the_past_are_let_go_with_their_context_after_some_thousands_of_mintings() throws Exception {
        HopTls tls = new HopTls(Transport.best(true), leaves);
        SslContext first = context(tls);
        minted = 1_999;
        assertThat(context(tls)).isSameAs(first);

        minted = 2_000;
        SslContext second = context(tls);

        assertThat(second).isNotSameAs(first);
        minted = 3_000;
        assertThat(context(tls)).isSameAs(second);
    }

    private static SslContext context(HopTls tls) {
        tls.server(UnpooledByteBufAllocator.DEFAULT, "api.up.test");
        return tls.context();
    }
}
