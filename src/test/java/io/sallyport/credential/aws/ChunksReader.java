package io.sallyport.credential.aws;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/** A destination's reading of a whole upload in signed chunks, written apart from the one that is tested. */
record ChunksReader(ChunkChain chain, Set<String> trailers) {

    /** @return the content @throws AssertionError where a signature is not the key's */
    byte[] read(byte[] sent) {
        String text = new String(sent, StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = text.indexOf("\r\n", at);
            String[] head = text.substring(at, end).split(";chunk-signature=");
            int size = Integer.parseInt(head[0], 16);
            byte[] chunk = Arrays.copyOfRange(sent, end + 2, end + 2 + size);
            must(chain.verifies(chunk, head[1]), "chunk at " + at);
            content.writeBytes(chunk);
            at = end + 2 + size + (size == 0 ? 0 : 2);
            if (size == 0) {
                break;
            }
        }
        String rest = text.substring(at);
        if (trailers.isEmpty()) {
            must(rest.equals("\r\n"), "end");
        } else {
            String[] lines = rest.split("\r\n");
            must(rest.endsWith("\r\n\r\n") && lines.length == 2, "trailers");
            must(chain.verifiesTrailers(lines[0] + "\n", lines[1].split(":")[1]), "signature of the trailers");
        }
        return content.toByteArray();
    }

    private static void must(boolean held, String what) {
        if (!held) {
            throw new AssertionError(what);
        }
    }
}
