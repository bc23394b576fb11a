package io.sallyport.rules;

import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The documents that live in the database, and the versions of policies that grants were given under. */
interface Documents {

    List<Row> all();

    /** @param kind as the key that tells it */
    record Row(String kind, String name, String text) {}

    void put(Row row, String by);

    /** @return false when there is none */
    boolean remove(String kind, String name);

    /** Idempotent. */
    void keepVersion(Tx tx, String digest, Row policy) throws SQLException;

    Optional<Row> version(String digest);
}
