package io.sallyport.proxy.wire;

/**
 * A field value that no compression table may keep (RFC 7541 section 7.1.3): neither ours, nor that of any hop behind us, which has to
 * pass the mark on. Guessing at a secret by what compresses is then no use.
 */
record NeverIndexed(String text) implements CharSequence {

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    /** Never printed: only the wire reads it, character by character. */
    @Override
    public String toString() {
        return "***";
    }
}
