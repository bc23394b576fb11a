package io.sallyport.document;

/**
 * One thing wrong with a document.
 *
 * @param where the path of the key, as in {@code scopes.read.allow[0]}; empty for the document as a whole
 * @param what what is wrong and what is allowed, one sentence
 */
public record Problem(String where, String what) {}
