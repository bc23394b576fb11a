package io.sallyport.cli.show;

import io.sallyport.cli.AgentDoor;
import io.sallyport.cli.OperatorDoor;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The seven steps. Each is tried for real and checked; a step that does not hold says so and the show fails. */
final class Show {

    private static final String ATTACKER = "sk-attacker-0000000000000000";

    private final Playbill playbill;
    private final ShowDoors doors;
    private final ShowOrigin origin;
    private final ShowDocuments documents;
    private final AgentDoor agentDoor;
    private final OperatorDoor operatorDoor;

    Show(PrintWriter out, ShowDoors doors, ShowOrigin origin, ShowDocuments documents) {
        this.playbill = new Playbill(out);
        this.doors = doors;
        this.origin = origin;
        this.documents = documents;
        this.agentDoor = new AgentDoor(doors.agentAddress());
        this.operatorDoor =
                new OperatorDoor(doors.operatorAddress(), documents.folder().resolve("data/operator-token"));
    }

    /** @return whether every step held */
    boolean play() throws IOException, InterruptedException {
        playbill.opening(doors, origin);
        AgentDoor.TaskToken task = exchange();
        ShowAgent agent = new ShowAgent(doors.hop(), task.token(), agentDoor.authority());
        Path payload = Files.writeString(documents.folder().resolve("note.txt"), "A note that leaves the sandbox.\n");
        allowed(agent, task, Files.readAllBytes(payload));
        elsewhere(agent, task);
        attackersKey(agent, task);
        echo(agent, task);
        stop(agent, task);
        ledger(payload);
        return playbill.closing();
    }

    private AgentDoor.TaskToken exchange() throws IOException {
        playbill.step("An agent runtime exchanges its workload token for a task token");
        AgentDoor.TaskToken task = agentDoor.exchange(new AgentDoor.Request(
                Files.readString(documents.workloadToken()),
                "",
                List.of("show:read", "show:write"),
                List.of(),
                "[{\"type\":\"sallyport_task\",\"purpose\":\"the show\"}]"));
        playbill.tried("POST /oauth2/token, scope=\"show:read show:write\"");
        playbill.agentSaw("task " + task.task() + ", a token of " + task.token().length() + " bytes that ends in "
                + task.seconds() + " s");
        playbill.originSaw("nothing yet");
        ledgerLine("task=" + task.task() + "&kind=exchanged");
        playbill.holds(!task.token().contains(documents.secret()), "no secret is in the token");
        return task;
    }

    private void allowed(ShowAgent agent, AgentDoor.TaskToken task, byte[] content) throws IOException {
        playbill.step("An allowed call: the credential is put on at the hop");
        ShowAgent.Answer answer = agent.send(ShowOrigin.HOST, origin.port(), "POST /v1/notes", List.of(), content);
        playbill.tried("POST " + origin.url() + "/v1/notes, " + content.length + " bytes, no key");
        playbill.agentSaw(answer);
        playbill.originSaw(origin.last());
        ledgerLine("task=" + task.task() + "&kind=used");
        playbill.holds(
                answer.status() == 201 && origin.last().keys().contains("Authorization: Bearer " + documents.secret()),
                "the origin got the real key, which the agent never had");
    }

    private void elsewhere(ShowAgent agent, AgentDoor.TaskToken task) throws IOException {
        playbill.step("A destination that no scope names");
        int before = origin.requests();
        ShowAgent.Answer answer = agent.send("elsewhere.show.test", 443, "GET /", List.of(), new byte[0]);
        playbill.tried("CONNECT elsewhere.show.test:443");
        playbill.agentSaw(answer);
        playbill.originSaw("nothing: no name was resolved, nothing was dialled");
        ledgerLine("task=" + task.task() + "&kind=refused");
        playbill.holds(answer.status() == 403 && origin.requests() == before, "denied by default, with the reason");
    }

    private void attackersKey(ShowAgent agent, AgentDoor.TaskToken task) throws IOException {
        playbill.step("The attacker's own key on the allowed destination");
        ShowAgent.Answer answer = agent.send(
                ShowOrigin.HOST,
                origin.port(),
                "POST /v1/notes",
                List.of("Authorization: Bearer " + ATTACKER, "x-api-key: " + ATTACKER),
                "the whole workspace".getBytes(StandardCharsets.UTF_8));
        playbill.tried("POST " + origin.url() + "/v1/notes with Authorization and x-api-key of an attacker");
        playbill.agentSaw(answer);
        playbill.originSaw(origin.last());
        ledgerLine("task=" + task.task() + "&kind=used");
        playbill.holds(
                origin.last().keys().equals(List.of("Authorization: Bearer " + documents.secret())),
                "his keys were taken off: what left went to our account, and has a name");
    }

    private void echo(ShowAgent agent, AgentDoor.TaskToken task) throws IOException {
        playbill.step("An origin that echoes the secret");
        ShowAgent.Answer answer = agent.send(ShowOrigin.HOST, origin.port(), "GET /v1/echo", List.of(), new byte[0]);
        playbill.tried("GET " + origin.url() + "/v1/echo");
        playbill.agentSaw(answer);
        playbill.originSaw(origin.last());
        ledgerLine("task=" + task.task() + "&kind=outcome");
        playbill.holds(
                answer.status() == 200 && !answer.body().contains(documents.secret()),
                "the answer came, the secret in it did not");
    }

    private void stop(ShowAgent agent, AgentDoor.TaskToken task) throws IOException, InterruptedException {
        playbill.step("A running stream is cut by a revocation");
        try (ShowAgent.Running stream = agent.open(ShowOrigin.HOST, origin.port(), "GET /v1/stream")) {
            long[] ended = new long[1];
            Thread reader = Thread.ofPlatform().start(() -> {
                stream.drain();
                ended[0] = System.nanoTime();
            });
            ObjectNode order = JsonNodeFactory.instance.objectNode();
            order.putObject("select").put("task", task.task());
            order.put("reason", "the show's rehearsal");
            JsonNode receipt = operatorDoor.post("/api/v1/revocations", order);
            long acknowledged = System.nanoTime();
            reader.join(10_000);
            boolean cut = !reader.isAlive() && origin.streamEndedWithin(5_000);
            ShowAgent.Answer again =
                    agent.send(ShowOrigin.HOST, origin.port(), "GET /v1/stream", List.of(), new byte[0]);
            playbill.tried(
                    "GET " + origin.url() + "/v1/stream, and while it runs POST /api/v1/revocations for its task");
            playbill.agentSaw("the stream broke off " + milliseconds(ended[0] - acknowledged)
                    + " the acknowledgement; its next CONNECT: " + again.statusLine());
            playbill.originSaw("its connection broke");
            playbill.receipt(receipt);
            ledgerLine("kind=revoked");
            playbill.holds(cut && again.status() == 407, "stop means stop");
        }
    }

    private void ledger(Path payload) throws IOException {
        playbill.step("The ledger verified, and the payload's file found in it");
        String sha256 = sha256(Files.readAllBytes(payload));
        JsonNode check = operatorDoor.post("/api/v1/ledger/verify", JsonNodeFactory.instance.objectNode());
        JsonNode found = operatorDoor.get("/api/v1/ledger?sha256=" + sha256);
        playbill.tried("verify every entry, then look up " + payload.getFileName() + " by its SHA-256 " + sha256);
        playbill.verified(check);
        playbill.entries(found);
        playbill.holds(found.toString().contains(sha256), "what left has a name, a task and a time");
    }

    private void ledgerLine(String query) {
        playbill.lastEntry(operatorDoor.get("/api/v1/ledger?limit=1000&" + query));
    }

    private static String milliseconds(long nanos) {
        double value = nanos / 1e6;
        return value < 0 ? "%.1f ms before".formatted(-value) : "%.1f ms after".formatted(value);
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
