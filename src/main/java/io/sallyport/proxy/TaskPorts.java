package io.sallyport.proxy;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which port the next task gets. They go round, so that a port is free for as long as the range allows before another task has it: what
 * an old task has left running would otherwise speak with the new one's grant.
 */
final class TaskPorts {

    private final ListenerSettings.Ports range;
    private final Set<Integer> taken = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next;

    TaskPorts(ListenerSettings.Ports range) {
        this.range = range;
        this.next = new AtomicInteger(ThreadLocalRandom.current().nextInt(range.size()));
    }

    /** Opens something at a port, for as long as it is asked. */
    @FunctionalInterface
    interface Attempt<T> {
        /** Empty when somebody else has the port. */
        Optional<T> at(int port);
    }

    /** Tries one port after the other, each once; what an attempt opened must be given back. Empty when none is free. */
    <T> Optional<T> first(Attempt<T> attempt) {
        if (range.any()) {
            return attempt.at(0);
        }
        for (int tried = 0; tried < range.size(); tried++) {
            int port = range.first() + Math.floorMod(next.getAndIncrement(), range.size());
            if (taken.add(port)) {
                Optional<T> opened = attempt.at(port);
                if (opened.isPresent()) {
                    return opened;
                }
                taken.remove(port);
            }
        }
        return Optional.empty();
    }

    /** The one that a task had before a restart. */
    <T> Optional<T> again(int port, Attempt<T> attempt) {
        if (!taken.add(port)) {
            return Optional.empty();
        }
        Optional<T> opened = attempt.at(port);
        if (opened.isEmpty()) {
            taken.remove(port);
        }
        return opened;
    }

    void giveBack(int port) {
        taken.remove(port);
    }
}
