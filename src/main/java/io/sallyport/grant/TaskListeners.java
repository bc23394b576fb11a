package io.sallyport.grant;

import java.util.Optional;

/**
 * Opens the listeners of tasks that are bound to one. The proxy does; it is declared here for those who open grants. A listener closes when
 * its grant ends, whoever ends it.
 */
public interface TaskListeners {

    /** What became of an opening. */
    sealed interface Opened {
        record Listening(TaskListener listener) implements Opened {}

        /** @param cause for the ledger and the log */
        record Failed(String cause) implements Opened {}
    }

    /** Empty when this broker opens listeners of that kind; else why not, for whoever asks for one. */
    Optional<String> whyNot(TaskListener.Wanted wanted);

    /** Opens one for a grant that is on disk already. What it answers with is on disk too, so that the broker opens it again after a restart. */
    Opened open(Grant grant, TaskListener.Wanted wanted);

    /** The one that is open for this grant. */
    Optional<TaskListener> of(Grant grant);
}
