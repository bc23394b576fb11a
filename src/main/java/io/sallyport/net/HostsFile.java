package io.sallyport.net;

import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine's own list of names, hosts(5): read by ourselves, because asking the system for a name with its final dot, as we must to
 * keep the search list out, passes the file by. Read at each look-up: containers get theirs changed while they run.
 */
record HostsFile(Path place) {

    static final HostsFile SYSTEM = new HostsFile(Path.of("/etc/hosts"));

    /**
     * @param name canonical
     * @return all addresses of the name, in the file's order; empty where it is not in the file, or there is none
     * @throws IOException for a file that is there and can't be read
     */
    List<InetAddress> addresses(String name) throws IOException {
        if (!Files.exists(place)) {
            return List.of();
        }
        List<InetAddress> found = new ArrayList<>();
        // One byte a character: a comment in another encoding is no fault.
        try (BufferedReader lines = Files.newBufferedReader(place, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                collect(line, name, found);
            }
        }
        return found;
    }

    private static void collect(String line, String name, List<InetAddress> found) {
        int comment = line.indexOf('#');
        String[] words =
                (comment < 0 ? line : line.substring(0, comment)).trim().split("\\s+");
        for (int i = 1; i < words.length; i++) {
            // An address with a zone is no literal of ours: such a line names nothing that could be dialled.
            if (words[i].equalsIgnoreCase(name)
                    && IpLiteral.parse(words[0]) instanceof Parsed.Valid<IpLiteral>(IpLiteral literal)) {
                found.add(Cidr.address(literal.bytes()));
                return;
            }
        }
    }
}
