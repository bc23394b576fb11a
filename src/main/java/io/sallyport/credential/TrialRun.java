package io.sallyport.credential;

import io.sallyport.credential.HeldSecrets.Trial;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Fetching;
import io.sallyport.credential.source.Revocations;
import io.sallyport.credential.source.SourceFault;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** A secret that is asked for to see whether it can be had, and given back at once. */
record TrialRun(CompiledCredential credential, Revocations revocations, CompletableFuture<Trial> trial)
        implements Fetching.Landing {

    @Override
    public void fetched(Fetched fetched) {
        switch (fetched) {
            case Fetched.Given given -> {
                String problem = HeldSecret.problem(given.material(), credential.injection());
                Trial found = problem == null
                        ? new Trial.Works(given.material().names(), given.lives())
                        : fails(SourceFault.bad(problem));
                revocations.discard(credential.name(), given);
                trial.complete(found);
            }
            case Fetched.Unfit(Fetched.Given given, SourceFault fault) -> {
                revocations.discard(credential.name(), given);
                failed(fault);
            }
            case Fetched.Unchanged unchanged ->
                failed(SourceFault.bad("its source says that nothing has changed, and nothing was held"));
        }
    }

    @Override
    public void failed(SourceFault fault) {
        trial.complete(fails(fault));
    }

    static Trial fails(SourceFault fault) {
        return new Trial.Fails(fault.kind().name().toLowerCase(Locale.ROOT), fault.cause());
    }
}
