package io.sallyport.credential;

/** Where a credential document says that the secret is. */
sealed interface Source {

    /** In the database, sealed. */
    record Local() implements Source {}

    /** @param name a relative path below the secrets folder */
    record File(String name) implements Source {}

    /** @param name of an environment variable of the broker, begins with {@code SALLYPORT_SECRET_} */
    record Environment(String name) implements Source {}

    default String kind() {
        return switch (this) {
            case Local() -> "local";
            case File(var name) -> "file";
            case Environment(var name) -> "env";
        };
    }
}
