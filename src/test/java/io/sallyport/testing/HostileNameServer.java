package io.sallyport.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.xbill.DNS.Message;

/** A name server on loopback, UDP and TCP, that answers with whatever bytes a test makes up. */
public final class HostileNameServer implements AutoCloseable {

    /** What to do about a question. */
    public interface Script {
        /** @return the answers to send, in order; none for silence. */
        List<byte[]> answers(Message question, boolean tcp) throws IOException;
    }

    private final Script script;
    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    public HostileNameServer(Script script) {
        this.script = script;
        try {
            tcp = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
            udp = new DatagramSocket(tcp.getLocalPort(), tcp.getInetAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::serveUdp);
        Thread.ofVirtual().start(this::serveTcp);
    }

    /** As a setting has it. */
    public String address() {
        return "127.0.0.1:" + udp.getLocalPort();
    }

    /** Each question so far, as {@code NAME TYPE udp|tcp}. */
    public List<String> asked() {
        return asked;
    }

    private List<byte[]> answers(byte[] bytes, boolean overTcp) throws IOException {
        Message question = new Message(bytes);
        asked.add(question.getQuestion().getName() + " "
                + org.xbill.DNS.Type.string(question.getQuestion().getType()) + (overTcp ? " tcp" : " udp"));
        return script.answers(question, overTcp);
    }

    private void serveUdp() {
        byte[] buffer = new byte[65_535];
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                udp.receive(packet);
                SocketAddress to = packet.getSocketAddress();
                for (byte[] answer : answers(Arrays.copyOf(buffer, packet.getLength()), false)) {
                    udp.send(new DatagramPacket(answer, answer.length, to));
                }
            } catch (IOException e) {
                // Closed, or a datagram that can't be sent.
            }
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket peer = tcp.accept()) {
                DataInputStream in = new DataInputStream(peer.getInputStream());
                byte[] question = in.readNBytes(in.readUnsignedShort());
                DataOutputStream out = new DataOutputStream(peer.getOutputStream());
                for (byte[] answer : answers(question, true)) {
                    out.writeShort(answer.length);
                    out.write(answer);
                }
                out.flush();
                // The peer leaves first, or never asked for more.
                in.read();
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
