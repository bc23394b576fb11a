package io.sallyport.identity;

/** What a workload runs in, weakest first. */
public enum Isolation {
    HOST,
    OS_SANDBOX,
    CONTAINER,
    SEALED_VM,
    REMOTE_EPHEMERAL,
    AIR_GAPPED;

    /** As documents write it: {@code os-sandbox}. */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
