package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Listeners that are noted, and open nothing. */
final class TestListeners implements TaskListeners {

    final Map<String, TaskListener> open = new LinkedHashMap<>();
    Optional<String> unfit = Optional.empty();
    Optional<String> failure = Optional.empty();
    Runnable beforeOpening = () -> {};

    @Override
    public Optional<String> whyNot(TaskListener.Wanted wanted) {
        return unfit;
    }

    @Override
    public Opened open(Grant grant, TaskListener.Wanted wanted) {
        beforeOpening.run();
        if (failure.isPresent()) {
            return new Opened.Failed(failure.get());
        }
        String place = wanted instanceof TaskListener.Socket ? "/run/tasks/" + grant.id() : "127.0.0.1:13128";
        TaskListener listener = new TaskListener(wanted, place);
        open.put(grant.id(), listener);
        return new Opened.Listening(listener);
    }

    @Override
    public Optional<TaskListener> of(Grant grant) {
        return Optional.ofNullable(open.get(grant.id()));
    }
}
