package io.sallyport.proxy.wire;

import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Parsed;
import io.sallyport.proxy.RawHead;
import java.util.ArrayList;
import java.util.List;

/** Reads the lines of an HTTP/1.x head (RFC 9112 sections 2 to 5), strictly: what has two readings has none. */
final class HeadParser {

    /** An answer's head before its framing is known. */
    record RawAnswer(int status, String reason, boolean http10, Fields fields) {}

    private HeadParser() {}

    /** @param text lines with their CR LF, as {@link HeadReader} gives them */
    static Parsed<RawHead> request(String text) {
        int end = text.indexOf("\r\n");
        String line = text.substring(0, Math.max(end, 0));
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        if (first <= 0 || last <= first + 1 || line.indexOf(' ', first + 1) != last) {
            return Parsed.malformed("the request line is METHOD TARGET VERSION");
        }
        String method = line.substring(0, first);
        String version = line.substring(last + 1);
        if (!FieldSyntax.isToken(method)) {
            return Parsed.malformed("the method is not a token");
        }
        if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
            return Parsed.malformed("the version is HTTP/1.1 or HTTP/1.0");
        }
        return fields(text, end + 2)
                .then(fields -> Parsed.valid(
                        new RawHead(method, line.substring(first + 1, last), version.equals("HTTP/1.0"), fields)));
    }

    static Parsed<RawAnswer> answer(String text) {
        int end = text.indexOf("\r\n");
        String line = text.substring(0, Math.max(end, 0));
        boolean http10 = line.startsWith("HTTP/1.0 ");
        if ((!http10 && !line.startsWith("HTTP/1.1 ")) || line.length() < 12) {
            return Parsed.malformed("the status line is HTTP/1.1 STATUS REASON");
        }
        int status = status(line);
        if (status < 100 || (line.length() > 12 && line.charAt(12) != ' ')) {
            return Parsed.malformed("the status is 100 to 599");
        }
        String reason = line.length() > 13 ? line.substring(13) : "";
        if (hasControls(reason)) {
            return Parsed.malformed("the reason phrase has a control character");
        }
        return fields(text, end + 2).then(fields -> Parsed.valid(new RawAnswer(status, reason, http10, fields)));
    }

    /** @return -1 where the three characters after the version are no status */
    private static int status(String line) {
        int status = 0;
        for (int i = 9; i < 12; i++) {
            char c = line.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            status = status * 10 + (c - '0');
        }
        return status <= 599 ? status : -1;
    }

    private static boolean hasControls(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 127) {
                return true;
            }
        }
        return false;
    }

    private static Parsed<Fields> fields(String text, int from) {
        List<Field> lines = new ArrayList<>();
        int start = from;
        while (start < text.length()) {
            int end = text.indexOf("\r\n", start);
            switch (FieldSyntax.parseLine(text.substring(start, end))) {
                case Parsed.Valid<Field>(Field field) -> lines.add(field);
                case Parsed.Malformed<Field>(String reason) -> {
                    return Parsed.malformed(reason);
                }
            }
            start = end + 2;
        }
        return Parsed.valid(Fields.of(lines));
    }
}
