package io.sallyport.credential.injection;

import io.sallyport.credential.PlaceholderWatch;

/** A text that is sought in whatever form it may be spelled: raw, percent-encoded, escaped, in base64, in hexadecimal. Thread-safe. */
public interface Needle {

    boolean in(String text);

    boolean in(byte[] content);

    /** For one content that comes in pieces. */
    PlaceholderWatch watch();
}
