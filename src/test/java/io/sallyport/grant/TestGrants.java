package io.sallyport.grant;

import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.policy.Binding;
import io.sallyport.testing.TestStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Grants for tests: a mother of plausible ones, and the real room on a test's store. */
public final class TestGrants {

    public static final String ISSUER = "http://localhost:8080";
    public static final Locks NO_LOCKS = candidate -> java.util.Optional.empty();

    private final TestStore store;
    private final TestTime time;
    private final StandingGrants standing;
    private final JdbcSigningKeys keys;
    private final SignedTaskTokens tokens;
    private final JdbcGrants grants;

    private TestGrants(TestStore store, TestTime time, Locks locks) {
        this.store = store;
        this.time = time;
        this.standing = new StandingGrants(new TwoClocks(time, time::nanos));
        this.keys = JdbcSigningKeys.load(store.writer(), store.readers(), store.seal(), time);
        this.tokens = new SignedTaskTokens(keys, ISSUER, standing::parentOf);
        this.grants = new JdbcGrants(store.writer(), store.readers(), tokens, locks, standing);
    }

    public static TestGrants on(TestStore store, TestTime time) {
        return on(store, time, NO_LOCKS);
    }

    public static TestGrants on(TestStore store, TestTime time, Locks locks) {
        return new TestGrants(store, time, locks);
    }

    public Grants grants() {
        return grants;
    }

    public TaskTokens tokens() {
        return tokens;
    }

    public SigningKeys keys() {
        return keys;
    }

    int forgetExpired() {
        return grants.forgetExpired();
    }

    int inMemory() {
        return standing.size();
    }

    public TestTime time() {
        return time;
    }

    /** Opens and waits for the disk. */
    public Grant open(Grant grant) {
        Opening opening = store.writer().write(tx -> grants.open(tx, grant));
        if (opening instanceof Opening.Refused(String cause)) {
            throw new AssertionError("refused: " + cause);
        }
        return grant;
    }

    public Opening tryOpen(Grant grant) {
        return store.writer().write(tx -> grants.open(tx, grant));
    }

    public Reservation reserve(Charge charge) {
        return store.writer().write(tx -> grants.reserve(tx, charge));
    }

    public void end(Grant grant) {
        var ended = grants.endInMemory(Set.of(grant), EndReason.REVOKED);
        store.writer().write(tx -> {
            grants.recordEnd(tx, ended, EndReason.REVOKED);
            return ended;
        });
    }

    public static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }

    /** A task's first grant: of 10 uses, 10,000 bytes and 15 minutes, for {@code cluster/site-fixer} under {@code site-fixer}. */
    public static Grant active() {
        return with(draft -> {});
    }

    public static Grant with(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return draft.grant();
    }

    /** As wide and as long as its parent. */
    public static Grant childOf(Grant parent, Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.task = parent.task();
        draft.parent = parent.id();
        draft.depth = parent.depth() + 1;
        draft.policy = parent.policy();
        draft.scopes = parent.scopes();
        draft.resources = parent.resources();
        draft.workload = parent.workload();
        draft.person = parent.person();
        draft.address = parent.address();
        draft.uses = parent.uses();
        draft.bytesOut = parent.bytesOut();
        draft.opened = parent.openedAt();
        draft.expires = parent.expiresAt();
        change.accept(draft);
        return draft.grant();
    }

    public static Grant childOf(Grant parent) {
        return childOf(parent, draft -> {});
    }

    /** What a test may want otherwise. */
    public static final class Draft {
        public String id = RandomId.of("grant");
        public String jti = RandomId.of("jti");
        public String task = RandomId.of("task");
        public String parent;
        public int depth;
        public String policy = "site-fixer";
        public Set<String> scopes = Set.of("read", "pull");
        public Set<io.sallyport.http.Origin> resources = Set.of();
        public Principal workload = new Principal("cluster", "site-fixer");
        public Principal person;
        public String address;
        public long uses = 10;
        public long bytesOut = 10_000;
        public Instant opened = TestTime.START;
        public Instant expires = TestTime.START.plus(Duration.ofMinutes(15));

        private Grant grant() {
            return new Grant(
                    id,
                    jti,
                    task,
                    parent,
                    depth,
                    policy,
                    "d".repeat(64),
                    new TreeSet<>(scopes),
                    resources,
                    workload,
                    person,
                    Isolation.CONTAINER,
                    address,
                    uses,
                    bytesOut,
                    opened,
                    expires,
                    "fixes the site",
                    Binding.ADDRESS);
        }
    }
}
