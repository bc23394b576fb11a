package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sallyport.net.ProxyFault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A tunnel's opening cut at every byte, and a proxy that says nothing. */
class TunnelRequestHandlerTest {

    private final List<String> told = new ArrayList<>();

    private EmbeddedChannel channel() {
        TunnelRequestHandler.Waiter waiter = new TunnelRequestHandler.Waiter() {
            @Override
            public void opened(ChannelHandlerContext at) {
                told.add("opened");
            }

            @Override
            public void refused(ProxyFault fault) {
                told.add(fault.getMessage());
            }
        };
        return new EmbeddedChannel(
                new TunnelRequestHandler(bytes("CONNECT a:1\r\n\r\n"), Duration.ofSeconds(10), waiter));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void an_answer_is_read_wherever_it_is_cut() {
        byte[] answer = bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n");
        for (int cut = 0; cut < answer.length; cut++) {
            told.clear();
            EmbeddedChannel channel = channel();
            assertThat(channel.<ByteBuf>readOutbound().toString(StandardCharsets.US_ASCII))
                    .startsWith("CONNECT");
            channel.writeInbound(Unpooled.copiedBuffer(answer, 0, cut));
            assertThat(told).as("after " + cut).isEmpty();
            channel.writeInbound(Unpooled.copiedBuffer(answer, cut, answer.length - cut));
            assertThat(told).containsExactly("opened");
            assertThat(channel.pipeline().get(TunnelRequestHandler.class)).isNull();
            assertThat(channel.isOpen()).isTrue();
            channel.advanceTimeBy(1, TimeUnit.HOURS);
            channel.runScheduledPendingTasks();
            assertThat(told).containsExactly("opened");
        }
    }

    @Test
    void a_proxy_that_says_nothing_is_left_when_its_time_is_over() {
        EmbeddedChannel channel = channel();
        channel.freezeTime();
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(told).isEmpty();
        channel.advanceTimeBy(2, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(told).containsExactly("the proxy that the broker goes out by does not answer in time");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void a_refusal_is_told_once_though_the_connection_ends_after_it() {
        EmbeddedChannel channel = channel();
        channel.writeInbound(Unpooled.copiedBuffer(bytes("HTTP/1.1 403 No\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")));
        channel.close();
        assertThat(told).hasSize(1);
        assertThat(told.getFirst()).contains("(403)");
    }
}
