package io.sallyport.exchange;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads the form of a request from its body alone. The servlet's own parameters would mix in the query, which ends up in access logs and
 * browser histories: a request that has one is refused, its query unread.
 */
final class FormReader {

    static final int MAX_BYTES = 64 * 1024;
    private static final String FORM = "application/x-www-form-urlencoded";

    private FormReader() {}

    static Step<Form> read(HttpServletRequest request) throws IOException {
        if (!"POST".equals(request.getMethod())) {
            return Step.refused(status(405, "Only POST.").with("Allow", "POST"));
        }
        if (!isForm(request)) {
            return Step.refused(status(415, "The body must be " + FORM + "."));
        }
        if (request.getQueryString() != null) {
            return Step.refused(Refusal.invalidRequest("Parameters go into the body, never into the query."));
        }
        byte[] body = request.getInputStream().readNBytes(MAX_BYTES + 1);
        if (body.length > MAX_BYTES) {
            return Step.refused(status(413, "The body is larger than 64 KiB."));
        }
        return Form.parse(new String(body, StandardCharsets.UTF_8));
    }

    private static boolean isForm(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(FORM)
                && request.getHeader("Content-Encoding") == null;
    }

    private static Refusal status(int status, String description) {
        return Refusal.of(OAuth2Error.INVALID_REQUEST.setHTTPStatusCode(status), description);
    }
}
