package io.sallyport.cli.show;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A name server for the show: its origin's name is this machine, every other name is what this machine says it is. */
final class ShowNames implements AutoCloseable {

    private final DatagramSocket socket;

    ShowNames() throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("show-names").start(this::serve);
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private void serve() {
        byte[] buffer = new byte[4096];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                byte[] answer = answer(new Message(Arrays.copyOf(buffer, packet.getLength())))
                        .toWire();
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException e) {
                // Closed, or a datagram that is no question: a name server has nothing to say to either.
                continue;
            }
        }
    }

    private static Message answer(Message question) {
        Message answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.getHeader().setFlag(Flags.RA);
        Record asked = question.getQuestion();
        answer.addRecord(asked, Section.QUESTION);
        List<InetAddress> addresses = lookup(asked.getName().toString(true));
        if (addresses.isEmpty()) {
            answer.getHeader().setRcode(Rcode.NXDOMAIN);
        }
        for (InetAddress address : addresses) {
            if (asked.getType() == Type.A && address instanceof Inet4Address) {
                answer.addRecord(new ARecord(asked.getName(), DClass.IN, 30, address), Section.ANSWER);
            }
        }
        return answer;
    }

    private static List<InetAddress> lookup(String name) {
        if (name.equalsIgnoreCase(ShowOrigin.HOST)) {
            return List.of(InetAddress.getLoopbackAddress());
        }
        try {
            return List.of(InetAddress.getAllByName(name));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
