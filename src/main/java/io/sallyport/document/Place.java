package io.sallyport.document;

import java.nio.file.Path;
import java.util.List;

/**
 * Where in a document something stands, and where its problems are collected.
 *
 * @param path as in {@code scopes.read.allow[0]}; empty for the document as a whole
 * @param folder of the document: relative paths in it start there
 */
public record Place(String path, List<Problem> problems, Path folder) {

    Place key(String key) {
        return new Place(path.isEmpty() ? key : path + "." + key, problems, folder);
    }

    Place item(int index) {
        return new Place(path + "[" + index + "]", problems, folder);
    }

    void problem(String what) {
        problems.add(new Problem(path, what));
    }
}
