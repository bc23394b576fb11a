package io.sallyport.identity;

/**
 * A workload or a person by the name that its identity provider gives it. Its text, {@code IDENTITY/SUBJECT}, is also the
 * {@code client_id} of a workload.
 *
 * @param identity the identity document's name; has no slash
 * @param subject the {@code sub} claim, exactly
 */
public record Principal(String identity, String subject) {

    public static Principal parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw new IllegalArgumentException("a principal is IDENTITY/SUBJECT: " + text);
        }
        return new Principal(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return identity + "/" + subject;
    }
}
