package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** As much of S3 as its command line needs, path-style, for those alone whose signatures are right: all else gets a 403. */
public final class ObjectStore implements TestOrigin.Answer {

    private final SigningOrigin signing;
    private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final Map<Integer, byte[]> parts = new ConcurrentSkipListMap<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<SigningOrigin.Verified> verified = new CopyOnWriteArrayList<>();

    public ObjectStore(SigningOrigin signing) {
        this.signing = signing;
    }

    /** By bucket and key. */
    public Map<String, byte[]> objects() {
        return objects;
    }

    /** Why, for each. */
    public List<String> refused() {
        return refused;
    }

    /** Each that was let in. */
    public List<SigningOrigin.Verified> verified() {
        return verified;
    }

    @Override
    public void to(TestOrigin.Received request, OutputStream out) throws IOException {
        SigningOrigin.Verified known;
        try {
            known = signing.verify(request);
        } catch (AssertionError | RuntimeException e) {
            refused.add(request.requestLine() + ": " + e);
            xml(403, "<Error><Code>SignatureDoesNotMatch</Code><Message>" + e.getMessage() + "</Message></Error>")
                    .to(request, out);
            return;
        }
        verified.add(known);
        Map<String, List<String>> query = SigningOrigin.query(request);
        String key = request.target().split("\\?")[0].substring(1);
        switch (request.requestLine().split(" ")[0]) {
            case "PUT" -> put(request, query, key, known.content()).to(request, out);
            case "POST" -> post(query, key).to(request, out);
            case "GET" -> {
                if (key.contains("/") && key.indexOf('/') < key.length() - 1) {
                    get(request, key, out);
                } else {
                    list(key.replace("/", "")).to(request, out);
                }
            }
            case "HEAD" -> head(key).to(request, out);
            default -> TestOrigin.status(405, "").to(request, out);
        }
    }

    private TestOrigin.Answer put(
            TestOrigin.Received request, Map<String, List<String>> query, String key, byte[] content) {
        if (query.containsKey("partNumber")) {
            parts.put(Integer.parseInt(query.get("partNumber").getFirst()), content);
        } else {
            objects.put(key, content);
        }
        return TestOrigin.status(
                200, "", "ETag: \"" + SigningOrigin.sha256(content).substring(0, 32) + "\"");
    }

    private TestOrigin.Answer post(Map<String, List<String>> query, String key) {
        String[] names = key.split("/", 2);
        if (query.containsKey("uploads")) {
            parts.clear();
            return xml(
                    200,
                    "<InitiateMultipartUploadResult><Bucket>" + names[0] + "</Bucket><Key>" + names[1]
                            + "</Key><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>");
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        new TreeMap<>(parts).values().forEach(whole::writeBytes);
        objects.put(key, whole.toByteArray());
        return xml(
                200,
                "<CompleteMultipartUploadResult><Bucket>" + names[0] + "</Bucket><Key>" + names[1]
                        + "</Key><ETag>\"e-2\"</ETag></CompleteMultipartUploadResult>");
    }

    private void get(TestOrigin.Received request, String key, OutputStream out) throws IOException {
        byte[] object = objects.get(key);
        if (object == null) {
            xml(404, "<Error><Code>NoSuchKey</Code></Error>").to(request, out);
            return;
        }
        List<String> range = request.field("Range");
        int from = 0;
        int to = object.length;
        if (!range.isEmpty()) {
            String[] ends = range.getFirst().substring("bytes=".length()).split("-");
            from = Integer.parseInt(ends[0]);
            to = Math.min(object.length, Integer.parseInt(ends[1]) + 1);
        }
        String head = (range.isEmpty() ? "HTTP/1.1 200 OK" : "HTTP/1.1 206 Partial Content")
                + "\r\nContent-Length: " + (to - from)
                + "\r\nETag: \"e\"\r\nLast-Modified: Mon, 30 Nov 2026 12:00:00 GMT\r\n"
                + (range.isEmpty()
                        ? ""
                        : "Content-Range: bytes " + from + "-" + (to - 1) + "/" + object.length + "\r\n")
                + "\r\n";
        out.write(head.getBytes(ISO_8859_1));
        out.write(object, from, to - from);
    }

    private TestOrigin.Answer head(String key) {
        byte[] object = objects.get(key);
        return object == null
                ? TestOrigin.raw("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                : TestOrigin.raw("HTTP/1.1 200 OK\r\nContent-Length: " + object.length
                        + "\r\nETag: \"e\"\r\nLast-Modified: Mon, 30 Nov 2026 12:00:00 GMT\r\n\r\n");
    }

    private TestOrigin.Answer list(String bucket) {
        List<String> entries = new ArrayList<>();
        objects.forEach((key, object) -> {
            if (key.startsWith(bucket + "/")) {
                entries.add("<Contents><Key>" + key.substring(bucket.length() + 1)
                        + "</Key><LastModified>2026-11-30T12:00:00.000Z" + "</LastModified><Size>" + object.length
                        + "</Size></Contents>");
            }
        });
        return xml(
                200,
                "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>" + bucket
                        + "</Name><IsTruncated>false</IsTruncated><KeyCount>" + entries.size() + "</KeyCount>"
                        + String.join("", entries) + "</ListBucketResult>");
    }

    private static TestOrigin.Answer xml(int status, String text) {
        return TestOrigin.status(status, text, "Content-Type: application/xml");
    }
}
