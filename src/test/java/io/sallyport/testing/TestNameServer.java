package io.sallyport.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server on loopback that answers IPv4 questions as a script says, one step a question; the last step stays. */
public final class TestNameServer implements AutoCloseable {

    /** @param addresses of the answer; @param rcode 0 for no error, 3 for no such name, -1 for silence */
    public record Step(List<String> addresses, int rcode, int seconds) {

        public static Step addresses(int seconds, String... addresses) {
            return new Step(List.of(addresses), 0, seconds);
        }

        public static Step noSuchName() {
            return new Step(List.of(), 3, 0);
        }

        public static Step silence() {
            return new Step(List.of(), -1, 0);
        }
    }

    private final DatagramSocket socket;
    private final List<Step> steps;
    private final AtomicInteger questions = new AtomicInteger();

    public TestNameServer(Step... steps) {
        this.steps = List.of(steps);
        try {
            socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("name-server").start(this::serve);
    }

    /** As a setting has it. */
    public String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** For IPv4, so far. */
    public int questions() {
        return questions.get();
    }

    private void serve() {
        byte[] buffer = new byte[2048];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                byte[] answer = answer(Arrays.copyOf(buffer, packet.getLength()));
                if (answer.length > 0) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private byte[] answer(byte[] question) throws IOException {
        int end = 12;
        while (question[end] != 0) {
            end += question[end] + 1;
        }
        boolean v4 = question[end + 2] == 1;
        Step step = v4 ? steps.get(Math.min(questions.getAndIncrement(), steps.size() - 1)) : new Step(List.of(), 0, 0);
        if (step.rcode < 0) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(question, 0, 2);
        out.writeShort(0x8180 | step.rcode);
        out.writeShort(1);
        out.writeShort(step.addresses.size());
        out.writeInt(0);
        out.write(question, 12, end + 5 - 12);
        for (String address : step.addresses) {
            out.writeShort(0xc00c);
            out.writeShort(1);
            out.writeShort(1);
            out.writeInt(step.seconds);
            out.writeShort(4);
            out.write(InetAddress.getByName(address).getAddress());
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
