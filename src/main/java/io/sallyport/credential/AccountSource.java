package io.sallyport.credential;

import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.document.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A source whose secrets are used only where the destination says that they open the right account. It is the same source in all else. */
final class AccountSource implements SecretSource {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final SecretSource source;
    private final AccountCheck account;
    private final Injection injection;

    AccountSource(SecretSource source, AccountCheck account, Injection injection) {
        this.source = source;
        this.account = account;
        this.injection = injection;
    }

    /** What is held already has been asked about. */
    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        Fetched fetched = source.fetch(fetch);
        // One that can't stand in a request is not asked with: whoever fetches it says so.
        if (fetched instanceof Fetched.Given given
                && injection.problem(given.material()).isEmpty()) {
            try {
                account.check(given.material(), injection, fetch.tools());
            } catch (SourceFault fault) {
                return new Fetched.Unfit(given, fault);
            }
        }
        return fetched;
    }

    @Override
    public String kind() {
        return source.kind();
    }

    @Override
    public Sharing sharing() {
        return source.sharing();
    }

    @Override
    public Waits waits() {
        return Waits.NETWORK;
    }

    @Override
    public Duration deadline() {
        Duration both = source.deadline().plus(AccountCheck.WITHIN.multipliedBy(2));
        return both.compareTo(LONGEST) < 0 ? both : LONGEST;
    }

    @Override
    public boolean renewable() {
        return source.renewable();
    }

    /** Without the check: the credential that is made of it brings its own. */
    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        return source.narrowed(keys);
    }

    @Override
    public boolean writtenIn() {
        return source.writtenIn();
    }

    @Override
    public String sealedWith() {
        return source.sealedWith();
    }

    @Override
    public List<Path> trusts() {
        List<Path> all = new ArrayList<>(source.trusts());
        Optional.ofNullable(account.reach().trust()).ifPresent(all::add);
        return all;
    }

    /** The source's own: where a secret comes from is the same with the check and without it. */
    @Override
    public String toString() {
        return source.toString();
    }
}
