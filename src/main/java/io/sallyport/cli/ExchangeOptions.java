package io.sallyport.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** What an exchange needs: where the broker is, who asks, and for what. */
final class ExchangeOptions {

    @Option(
            names = "--agent",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            converter = DoorUrl.class,
            description = "the broker's agent door (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private URI agent;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            required = true,
            defaultValue = "${env:SALLYPORT_WORKLOAD_TOKEN_FILE}",
            description = "the workload's own token (or name it in SALLYPORT_WORKLOAD_TOKEN_FILE)")
    @SuppressWarnings("NullAway.Init")
    private Path tokenFile;

    @Option(
            names = "--person-token-file",
            paramLabel = "FILE",
            description = "the token of the person whom it acts for")
    private @Nullable Path personFile;

    @Option(
            names = {"-s", "--scope"},
            paramLabel = "POLICY:SCOPE",
            required = true,
            description = "what the task needs; repeat it for more, all of one policy")
    private List<String> scopes = new ArrayList<>();

    @Option(names = "--resource", paramLabel = "ORIGIN", description = "narrow the scopes to these destinations")
    private List<String> resources = new ArrayList<>();

    @Option(
            names = "--purpose",
            paramLabel = "TEXT",
            description = "what the task is for, in words; kept in the ledger")
    private @Nullable String purpose;

    @Option(names = "--ttl", paramLabel = "TIME", description = "a shorter life than the policy's, as in 10min")
    private @Nullable String ttl;

    @Option(names = "--uses", paramLabel = "N", description = "fewer uses than the policy's")
    private @Nullable Long uses;

    @Option(names = "--bytes-out", paramLabel = "SIZE", description = "fewer bytes out than the policy's, as in 5MiB")
    private @Nullable String bytesOut;

    @Option(names = "--address", paramLabel = "CIDR", description = "where the task will run, when it is not here")
    private @Nullable String address;

    @Option(
            names = "--listener",
            paramLabel = "KIND",
            description = "port, socket or transparent: for policies whose tasks are bound to a listener")
    private @Nullable String listener;

    @Option(names = "--uid", paramLabel = "N", description = "the user that may connect, with --listener socket")
    private @Nullable Long uid;

    AgentDoor door() {
        return new AgentDoor(agent);
    }

    AgentDoor.TaskToken exchange() {
        String person = personFile == null ? "" : read(personFile);
        return door().exchange(new AgentDoor.Request(workloadToken(), person, scopes, resources, details()));
    }

    /** Read anew at each call: whoever issues it may have replaced it meanwhile. */
    String workloadToken() {
        return read(tokenFile);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed("can't read the token at " + file + ": " + Complaint.ofFile(e), e);
        }
    }

    private String details() {
        ObjectNode detail = Json.MAPPER.createObjectNode();
        if (purpose != null) {
            detail.put("purpose", purpose);
        }
        if (ttl != null) {
            detail.put("ttl", ttl);
        }
        if (uses != null) {
            detail.put("uses", uses);
        }
        if (bytesOut != null) {
            detail.put("bytes_out", bytesOut);
        }
        if (address != null) {
            detail.put("address", address);
        }
        if (listener != null) {
            detail.put("listener", listener);
        }
        if (uid != null) {
            detail.put("uid", uid);
        }
        if (detail.isEmpty()) {
            return "";
        }
        detail.put("type", "sallyport_task");
        return Json.MAPPER.createArrayNode().add(detail).toString();
    }
}
