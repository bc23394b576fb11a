package io.sallyport.cli.show;

import io.sallyport.cli.CommandFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** The four doors of the show's broker. */
record ShowDoors(int agent, int hop, int operator, int management) {

    /** Reads four ports with commas between them. */
    static final class Converter implements CommandLine.ITypeConverter<ShowDoors> {

        @Override
        public ShowDoors convert(String value) {
            String[] ports = value.split(",", -1);
            if (ports.length != 4 || !Arrays.stream(ports).allMatch(port -> port.matches("[1-9]\\d{0,4}"))) {
                throw new TypeConversionException("'" + value + "' is not four ports, as in 8080,3128,8081,9090");
            }
            return new ShowDoors(
                    Integer.parseInt(ports[0]),
                    Integer.parseInt(ports[1]),
                    Integer.parseInt(ports[2]),
                    Integer.parseInt(ports[3]));
        }
    }

    static final ShowDoors USUAL = new ShowDoors(8080, 3128, 8081, 9090);

    /** What a verb must be told to find the agent door and the hop: nothing where they are in the usual places. */
    String agentOptions() {
        return (agent == USUAL.agent ? "" : "--agent " + agentUrl() + " ")
                + (hop == USUAL.hop ? "" : "--hop " + hopUrl() + " ");
    }

    String operatorOptions() {
        return operator == USUAL.operator ? "" : "--operator " + operatorAddress() + " ";
    }

    String agentUrl() {
        return "http://localhost:" + agent;
    }

    URI agentAddress() {
        return URI.create("http://127.0.0.1:" + agent);
    }

    URI operatorAddress() {
        return URI.create("http://127.0.0.1:" + operator);
    }

    String hopUrl() {
        return "http://127.0.0.1:" + hop;
    }

    /** Says so in one sentence when a door is taken, before anything is started. */
    void requireFree() {
        for (int port : new int[] {agent, hop, operator, management}) {
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                probe.getLocalPort();
            } catch (IOException e) {
                throw new CommandFailed(
                        "port " + port + " is taken, perhaps by a broker that still runs; choose four others:"
                                + " --ports AGENT,HOP,OPERATOR,MANAGEMENT",
                        e);
            }
        }
    }
}
