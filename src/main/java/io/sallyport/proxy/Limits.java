package io.sallyport.proxy;

/**
 * How much of the hop one peer, one source or one task may hold: what keeps an agent from starving its neighbours. They protect the
 * broker and apply whatever a policy says; a policy can only ask for less.
 *
 * @param connections of agents at one time, at least 1
 * @param connectionsPerSource of one IPv4 address or IPv6 /64 network, at least 1
 * @param strangersPerSource of those, connections on which no live grant was shown yet; the oldest makes room for one more
 * @param connectionsPerTask of one task, at least 1
 * @param requestsPerTask that run at one time, at least 1; streams of HTTP/2 are requests
 * @param content bytes of requests' content that are held at one time; above it, windows shrink
 * @param contentPerTask the same for one task
 * @param injectedContent bytes of content of one request that are gathered for a credential that goes into it or signs it, 1 KiB to 64 MiB
 * @param bodyRate bytes a second that a content of known length comes in at the least, once it was waited for {@code body-idle}
 * @param masksPerTask that answers of one task may need before the task ends, at least 1
 */
public record Limits(
        int connections,
        int connectionsPerSource,
        int strangersPerSource,
        int connectionsPerTask,
        int requestsPerTask,
        long content,
        long contentPerTask,
        long bodyRate,
        long injectedContent,
        int masksPerTask) {

    private static final long MIB = 1024 * 1024;

    public static final int STRANGERS = 256;
    public static final int OF_A_TASK = 512;
    public static final int REQUESTS = 256;
    public static final long CONTENT_OF_A_TASK = 32 * MIB;

    public static final long INJECTED_CONTENT = MIB;

    /** As slow as Kestrel lets a client be: slower links than any that an agent has, and faster than a peer that only wants to stay. */
    public static final long BODY_RATE = 240;

    /** A careless echo or two; somebody who tries guesses needs many more. */
    public static final int MASKS = 16;

    public Limits {
        check("connections", connections, 1);
        check("connections-per-source", connectionsPerSource, 1);
        check("strangers-per-source", strangersPerSource, 1);
        check("connections-per-task", connectionsPerTask, 1);
        check("requests-per-task", requestsPerTask, 1);
        check("content", content, MIB);
        check("content-per-task", contentPerTask, MIB);
        check("body-rate", bodyRate, 1);
        if (injectedContent < 1024 || injectedContent > 64 * MIB) {
            throw new IllegalArgumentException(
                    "sallyport.proxy.limits.injected-content is 1KB to 64MB, in bytes: " + injectedContent);
        }
        check("masks-per-task", masksPerTask, 1);
    }

    private static void check(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException("sallyport.proxy.limits." + key + " is at least " + least
                    + (least == MIB ? " bytes (1MB)" : "") + ": " + value);
        }
    }

    /** The usual ones for so many connections: half of them for one source, and a quarter, at most 512, for one task. */
    public static Limits of(int connections) {
        return new Limits(
                connections,
                Math.max(1, connections / 2),
                STRANGERS,
                Math.clamp(connections / 4, 1, OF_A_TASK),
                REQUESTS,
                contentOfAll(),
                CONTENT_OF_A_TASK,
                BODY_RATE,
                INJECTED_CONTENT,
                MASKS);
    }

    /** As many as the files that the process may open leave room for. */
    public static Limits usual() {
        return of(OpenFiles.forAgents());
    }

    /** A quarter of what buffers may take, which is as much as the heap. */
    private static long contentOfAll() {
        return Math.max(64 * MIB, Runtime.getRuntime().maxMemory() / 4);
    }

    public Limits withStrangersPerSource(int most) {
        return new Limits(
                connections,
                connectionsPerSource,
                most,
                connectionsPerTask,
                requestsPerTask,
                content,
                contentPerTask,
                bodyRate,
                injectedContent,
                masksPerTask);
    }

    public Limits withPerTask(int mostConnections, int mostRequests) {
        return new Limits(
                connections,
                connectionsPerSource,
                strangersPerSource,
                mostConnections,
                mostRequests,
                content,
                contentPerTask,
                bodyRate,
                injectedContent,
                masksPerTask);
    }

    public Limits withContent(long all, long ofTask) {
        return new Limits(
                connections,
                connectionsPerSource,
                strangersPerSource,
                connectionsPerTask,
                requestsPerTask,
                all,
                ofTask,
                bodyRate,
                injectedContent,
                masksPerTask);
    }

    public Limits withBodyRate(long bytesPerSecond) {
        return new Limits(
                connections,
                connectionsPerSource,
                strangersPerSource,
                connectionsPerTask,
                requestsPerTask,
                content,
                contentPerTask,
                bytesPerSecond,
                injectedContent,
                masksPerTask);
    }

    public Limits withMasksPerTask(int most) {
        return new Limits(
                connections,
                connectionsPerSource,
                strangersPerSource,
                connectionsPerTask,
                requestsPerTask,
                content,
                contentPerTask,
                bodyRate,
                injectedContent,
                most);
    }
}
