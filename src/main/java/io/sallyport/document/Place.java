package io.sallyport.document;

import java.util.List;

/**
 * Where in a document something stands, and where its problems are collected.
 *
 * @param path as in {@code scopes.read.allow[0]}; empty for the document as a whole
 */
public record Place(String path, List<Problem> problems) {

    Place key(String key) {
        return new Place(path.isEmpty() ? key : path + "." + key, problems);
    }

    Place item(int index) {
        return new Place(path + "[" + index + "]", problems);
    }

    void problem(String what) {
        problems.add(new Problem(path, what));
    }
}
