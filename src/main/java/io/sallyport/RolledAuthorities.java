package io.sallyport;

import io.sallyport.admin.Authorities;
import io.sallyport.proxy.InterceptionRoot;
import io.sallyport.proxy.InterceptionRoot.RollOver;
import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** The hop's roots, for the operator door: neither knows the other. */
final class RolledAuthorities implements Authorities {

    private final InterceptionRoot root;

    RolledAuthorities(InterceptionRoot root) {
        this.root = root;
    }

    @Override
    public List<Authority> all() {
        return root.states().stream()
                .map(state -> new Authority(
                        state.id(),
                        state.name(),
                        state.sha256(),
                        state.from(),
                        state.until(),
                        state.use().name().toLowerCase(Locale.ROOT)))
                .toList();
    }

    @Override
    public Step succeed(Tx tx) throws SQLException {
        return step(root.succeed(tx));
    }

    @Override
    public Step promote(Tx tx) throws SQLException {
        return step(root.promote(tx));
    }

    @Override
    public Step withdraw(Tx tx, String id) throws SQLException {
        return step(root.withdraw(tx, id));
    }

    private static Step step(RollOver rollOver) {
        return switch (rollOver) {
            case RollOver.Done(String id) -> new Step.Done(id);
            case RollOver.Refused(String reason) -> new Step.Refused(reason);
        };
    }
}
