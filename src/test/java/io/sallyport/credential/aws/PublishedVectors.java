package io.sallyport.credential.aws;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The signing test suite that AWS publishes, in {@code shared/vectors} beside the project; it is no part of it. */
record PublishedVectors(Path folder) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** One case. */
    record Vector(Path folder) {

        JsonNode context() {
            return JSON.readTree(text("context.json"));
        }

        /** A text of the suite, its last line end off. */
        String text(String name) {
            try {
                return Files.readString(folder.resolve(name)).stripTrailing();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Of texts whose last line may be empty. */
        String exactly(String name) {
            try {
                return Files.readString(folder.resolve(name));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        AccessKey key() {
            JsonNode credentials = context().path("credentials");
            boolean signedToken = !context().path("omit_session_token").asBoolean(false);
            return new AccessKey(
                    credentials.path("access_key_id").asString(),
                    credentials.path("secret_access_key").asString().getBytes(StandardCharsets.UTF_8),
                    signedToken && credentials.has("token")
                            ? credentials.path("token").asString().getBytes(StandardCharsets.UTF_8)
                            : null);
        }

        Instant at() {
            return Instant.parse(context().path("timestamp").asString());
        }

        Duration lifetime() {
            return Duration.ofSeconds(context().path("expiration_in_seconds").asLong());
        }

        /** @param inHead where the hash of signed content is a field as well */
        Signer.Request request(boolean inHead) {
            String[] headAndContent = exactly("request.txt").split("\n\n", 2);
            List<String> lines = headAndContent[0].lines().toList();
            String first = lines.getFirst();
            String raw = first.substring(first.indexOf(' ') + 1, first.lastIndexOf(' '));
            int mark = raw.indexOf('?');
            Target target = new Target(
                    mark < 0 ? raw : raw.substring(0, mark), mark < 0 ? null : raw.substring(mark + 1), null);
            Fields fields = fields(lines.subList(1, lines.size()));
            String content = headAndContent.length > 1 ? headAndContent[1] : "";
            String hash = Sha256.hex(content);
            if (inHead && context().path("sign_body").asBoolean()) {
                fields = fields.plus(new Field("x-amz-content-sha256", hash));
            }
            return new Signer.Request(first.substring(0, first.indexOf(' ')), target, fields, hash);
        }

        /** A line that begins with a space goes on with the one before it. */
        static Fields fields(List<String> lines) {
            List<Field> fields = new ArrayList<>();
            for (String line : lines) {
                if (line.startsWith(" ")) {
                    Field last = fields.removeLast();
                    fields.add(new Field(last.name(), last.value() + "\n" + line));
                } else if (!line.isEmpty()) {
                    int colon = line.indexOf(':');
                    fields.add(new Field(line.substring(0, colon), line.substring(colon + 1)));
                }
            }
            return Fields.of(fields);
        }

        Signer signer(Algorithm algorithm) {
            JsonNode context = context();
            return new Signer(
                    algorithm,
                    context.path("service").asString(),
                    context.path("region").asString(),
                    new PathStyle(context.path("normalize").asBoolean(), true),
                    name -> true);
        }

        @Override
        public String toString() {
            return folder.getFileName().toString();
        }
    }

    static Optional<PublishedVectors> find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path vectors = at.resolve("shared/vectors/aws-sigv4");
            if (Files.isDirectory(vectors)) {
                return Optional.of(new PublishedVectors(vectors));
            }
        }
        return Optional.empty();
    }

    /** Those that have an expected result: two of version 4a are published without. @param suite {@code v4} or {@code v4a} */
    List<Vector> of(String suite) {
        try (Stream<Path> folders = Files.list(folder.resolve(suite))) {
            return folders.filter(it -> Files.exists(it.resolve("header-canonical-request.txt")))
                    .sorted()
                    .map(Vector::new)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
