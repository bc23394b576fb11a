package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Lease;
import io.sallyport.credential.Leases;
import io.sallyport.credential.Scrubber;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.ledger.Ledger;
import io.sallyport.policy.Policy;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import io.sallyport.testing.TestHop;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may come between two of the gate's steps. */
class GateTest {

    private final TestHop hop = TestHop.start();

    @AfterEach
    void close() {
        hop.close();
    }

    /** Narrowing cuts what runs; a request that was judged before the swap and enters after it must not be missed. */
    @Test
    void a_request_that_was_judged_by_the_book_before_is_judged_again() {
        Grant grant = hop.grant("read");
        RuleBooks books = new SwappedBehindTheBack(hop.room(RuleBooks.class), () -> {
            hop.document("policies/fixer.yml", TestHop.POLICY.replace("\"GET /v1/**\", ", ""));
            hop.reload();
        });
        assertThat(admit(books, hop.room(Leases.class), grant)).isInstanceOf(Passage.Refused.class);
        assertThat(hop.flows().running()).isZero();
    }

    @Test
    void a_fault_while_leasing_leaves_no_flow_behind() {
        Passage passage = admit(hop.room(RuleBooks.class), new Faulty(), hop.grant("read"));
        assertThat(passage)
                .isInstanceOfSatisfying(
                        Passage.Refused.class,
                        refused -> assertThat(refused.refusal().status()).isEqualTo(503));
        assertThat(hop.flows().running()).isZero();
    }

    /** The judge asks memory alone, since it runs on event loops: after a restart memory has to be filled before the first request. */
    @Test
    void what_standing_grants_were_opened_under_is_read_before_the_first_request_and_not_at_it() {
        Grant grant = hop.grant("read");
        hop.document("policies/fixer.yml", TestHop.POLICY.replace("reason: Reads\n", "reason: Reads still\n"));
        hop.reload();
        Restarted books = new Restarted(hop.room(RuleBooks.class));
        assertThat(admit(books, hop.room(Leases.class), grant)).isInstanceOf(Passage.Refused.class);
        assertThat(books.read).isEmpty();
        new BookChanges(hop.room(Grants.class), books, hop.flows(), hop.room(Writer.class), hop.room(Ledger.class))
                .recall();
        assertThat(books.read).containsExactly(grant.policyDigest());
        assertThat(admit(books, hop.room(Leases.class), grant))
                .isInstanceOfSatisfying(
                        Passage.Admitted.class, admitted -> admitted.admission().close());
    }

    private Passage admit(RuleBooks books, Leases leases, Grant grant) {
        Gate gate = new Gate(
                hop.room(Grants.class),
                books,
                leases,
                hop.room(TokenMarks.class),
                hop.flows(),
                Allowance.ofStrangers(System::nanoTime),
                new HopHealth(System::nanoTime),
                new Injections(Injections.USUAL_LIMIT));
        return gate.admit(grant, head(), null, why -> {}).toCompletableFuture().join();
    }

    private RequestHead head() {
        Origin origin = new Origin("https", "api.up.test", hop.origin().port());
        return new RequestHead(
                "GET",
                origin,
                Target.parse("/v1/x").orElseThrow(),
                Fields.of("Host", origin.authority()),
                new Framing.None(),
                false);
    }

    private static final class Faulty implements Leases {
        @Override
        public CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant) {
            throw new IllegalStateException("a fault that a test asked for");
        }

        @Override
        public CompletionStage<Optional<String>> whyUnavailable(Credential credential) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Scrubber scrubber(List<Lease> leases) {
            throw new UnsupportedOperationException();
        }
    }

    /** Has no version in memory that was not read before. */
    private static final class Restarted extends Delegating {
        private final List<String> read = new ArrayList<>();

        Restarted(RuleBooks real) {
            super(real);
        }

        @Override
        public Optional<Policy> version(String digest) {
            read.add(digest);
            return super.version(digest);
        }

        @Override
        public Optional<Policy> versionInMemory(String digest) {
            return read.contains(digest) ? super.versionInMemory(digest) : Optional.empty();
        }
    }

    /** Answers with the book in force, which is another as soon as the answer is given. */
    private static final class SwappedBehindTheBack extends Delegating {
        private final Runnable swap;
        private boolean swapped;

        SwappedBehindTheBack(RuleBooks real, Runnable swap) {
            super(real);
            this.swap = swap;
        }

        @Override
        public RuleBook current() {
            RuleBook answer = super.current();
            if (!swapped) {
                swapped = true;
                swap.run();
            }
            return answer;
        }
    }

    private static class Delegating implements RuleBooks {
        private final RuleBooks real;

        Delegating(RuleBooks real) {
            this.real = real;
        }

        @Override
        public RuleBook current() {
            return real.current();
        }

        @Override
        public Optional<Policy> version(String digest) {
            return real.version(digest);
        }

        @Override
        public Optional<Policy> versionInMemory(String digest) {
            return real.versionInMemory(digest);
        }

        @Override
        public Reload reload() {
            return real.reload();
        }

        @Override
        public Reload put(String kind, String name, String text, String by) {
            return real.put(kind, name, text, by);
        }

        @Override
        public Reload remove(String kind, String name) {
            return real.remove(kind, name);
        }

        @Override
        public List<String> problems() {
            return real.problems();
        }

        @Override
        public void onSwapped(Consumer<RuleBook> listener) {
            real.onSwapped(listener);
        }

        @Override
        public void keepVersion(Tx tx, Policy policy) throws SQLException {
            real.keepVersion(tx, policy);
        }
    }
}
