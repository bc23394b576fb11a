package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.grant.TestTime;
import io.sallyport.http.Origin;
import io.sallyport.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The real room over real grants and a real store, with what comes from above written by hand. */
final class RevocationRoom {

    final TestTime time = new TestTime();
    final RecordingLedger ledger = new RecordingLedger();
    final BreakableWriter writer;
    final StandingLocks locks;
    final TestGrants grants;
    final JdbcRevocations revocations;
    final List<Grant> cut = new ArrayList<>();

    /** What the rule book would say: policy {@code site-fixer} uses {@code github-acme} and goes to GitHub; {@code other} does not. */
    static final GrantReach REACH = new GrantReach() {
        @Override
        public Set<String> credentials(Grant grant) {
            return grant.policy().equals("site-fixer") ? Set.of("github-acme") : Set.of("other");
        }

        @Override
        public boolean reaches(Grant grant, Origin destination) {
            return grant.policy().equals("site-fixer")
                    && destination.equals(new Origin("https", "api.github.com", 443));
        }
    };

    RevocationRoom(TestStore store) {
        writer = new BreakableWriter(store.writer());
        locks = new StandingLocks(REACH, store.readers().read(RevocationRows::locks));
        grants = TestGrants.on(store, time, locks);
        revocations = new JdbcRevocations(
                grants.grants(),
                this::cut,
                REACH,
                locks,
                new JdbcRevocations.Store(writer, store.readers(), ledger, time, "node-1", Duration.ofMillis(200)));
    }

    private int cut(Collection<Grant> ended) {
        cut.addAll(ended);
        return 2 * ended.size();
    }

    Receipt order(Map<String, ?> select) {
        return revocations.order(Selector.parse(select).orElseThrow(), "an alert", "operator");
    }
}
