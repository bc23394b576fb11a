package io.sallyport.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Parameters;

/** The credential that a verb is about. */
final class CredentialName {

    @Parameters(paramLabel = "NAME", description = "of the credential document")
    @SuppressWarnings("NullAway.Init")
    private String name;

    /** The call of the operator API. @param call its last part, as in {@code test} */
    String path(String call) {
        return "/api/v1/credentials/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/" + call;
    }

    @Override
    public String toString() {
        return name;
    }
}
