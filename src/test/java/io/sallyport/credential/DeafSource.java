package io.sallyport.credential;

import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import java.util.concurrent.CountDownLatch;

/** A source that goes on through every interruption until it is let. */
record DeafSource(RemoteSource behind, CountDownLatch gate) implements SecretSource {

    @Override
    public String kind() {
        return "deaf";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        Fetched fetched = behind.fetch(fetch);
        while (true) {
            try {
                gate.await();
                return fetched;
            } catch (InterruptedException goOn) {
                continue;
            }
        }
    }
}
