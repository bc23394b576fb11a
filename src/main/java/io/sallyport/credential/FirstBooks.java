package io.sallyport.credential;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The table of which documents of one source were met together in one book, before any of them was used: whoever wrote the first that is used
 * wrote the others at the same time. Written once for each source, so that a document that is added later, or changed, is none of them,
 * whatever happens in between.
 */
final class FirstBooks {

    private FirstBooks() {}

    /** A document with its places. */
    record Met(String source, String credential, Set<String> places) {

        Met {
            places = Set.copyOf(places);
        }
    }

    static boolean knows(Tx tx, String source) throws SQLException {
        return !places(tx, "SELECT place FROM credential_first_book WHERE source = ? LIMIT 1", source)
                .isEmpty();
    }

    /** All places of those that this credential was met with, as they were then; none where it is not one of them. */
    static Set<String> beside(Tx tx, String source, String credential) throws SQLException {
        return places(
                tx,
                "SELECT place FROM credential_first_book WHERE source = ? AND EXISTS"
                        + " (SELECT 1 FROM credential_first_book b WHERE b.source = ? AND b.credential = ?)",
                source,
                source,
                credential);
    }

    static void write(Tx tx, Met one, long now) throws SQLException {
        for (String place : one.places()) {
            PreparedStatement insert =
                    tx.prepare("INSERT INTO credential_first_book (source, credential, place, met_at)"
                            + " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
            insert.setString(1, one.source());
            insert.setString(2, one.credential());
            insert.setString(3, place);
            insert.setLong(4, now);
            insert.executeUpdate();
        }
    }

    static Set<String> places(Tx tx, String sql, String... parameters) throws SQLException {
        Set<String> places = new HashSet<>();
        PreparedStatement select = tx.prepare(sql);
        for (int i = 0; i < parameters.length; i++) {
            select.setString(i + 1, parameters[i]);
        }
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                places.add(rows.getString(1));
            }
        }
        return places;
    }
}
