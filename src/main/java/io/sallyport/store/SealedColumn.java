package io.sallyport.store;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a room keeps sealed values, so that they can be counted by key and sealed anew without knowing what they are. Each room names its own;
 * one that named none would lose what it sealed when the key that sealed it is taken away.
 *
 * @param table its first key column is text, and alone makes a row the only one of its kind
 * @param column the sealed value; rows where it is null are passed over
 * @param key the columns that the place is made of, the first of them the row's own key
 * @param only a single value of the first key column that is meant; null for all rows
 * @param place of a row, from its key columns in their order: as the room gives it to {@link Seal}
 */
public record SealedColumn(
        String table,
        String column,
        List<String> key,
        @Nullable String only,
        Function<List<String>, String> place) {

    public SealedColumn {
        key = List.copyOf(key);
    }

    /** All rows of a table, whose place is made of these columns. */
    public static SealedColumn of(String table, String column, List<String> key, Function<List<String>, String> place) {
        return new SealedColumn(table, column, key, null, place);
    }

    /** The one row of that name in {@code store_value}; its name is its place. */
    public static SealedColumn value(String name) {
        return new SealedColumn("store_value", "value", List.of("name"), name, List::getFirst);
    }

    /** As status and entries name it. */
    @Override
    public String toString() {
        return only == null ? table + "." + column : only;
    }
}
