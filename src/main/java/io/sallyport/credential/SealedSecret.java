package io.sallyport.credential;

/** A secret on its way into the database: checked, and sealed already. Nobody outside this room can open it. */
public final class SealedSecret {

    private final String credential;
    private final String faceDigest;
    private final String revision;
    private final byte[] sealed;

    SealedSecret(String credential, String faceDigest, String revision, byte[] sealed) {
        this.credential = credential;
        this.faceDigest = faceDigest;
        this.revision = revision;
        this.sealed = sealed;
    }

    /** The credential's name. */
    public String credential() {
        return credential;
    }

    String faceDigest() {
        return faceDigest;
    }

    String revision() {
        return revision;
    }

    byte[] sealed() {
        return sealed;
    }

    @Override
    public String toString() {
        return "SealedSecret[" + credential + "]";
    }
}
