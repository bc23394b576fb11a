package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Locks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The locks in memory, which is where they bite: at once when ordered, and until the lift is on disk. */
final class StandingLocks implements Locks {

    private final GrantReach reach;
    private final Map<String, Lock> byId = new LinkedHashMap<>();
    private final Set<String> beingLifted = new HashSet<>();
    private volatile List<Lock> standing = List.of(); // what lockedBy reads: no exchange waits for an order

    StandingLocks(GrantReach reach, List<Lock> loaded) {
        this.reach = reach;
        loaded.forEach(lock -> byId.put(lock.id(), lock));
        standing = List.copyOf(loaded);
    }

    @Override
    public Optional<String> lockedBy(Grant candidate) {
        for (Lock lock : standing) {
            if (lock.selector().matches(candidate, reach)) {
                return Optional.of(lock.id());
            }
        }
        return Optional.empty();
    }

    List<Lock> all() {
        return standing;
    }

    /** @return the lock as it now stands: the given one, or an earlier one for the same selector that nobody is lifting */
    synchronized Lock lock(Lock wanted) {
        for (Lock lock : byId.values()) {
            if (lock.selector().equals(wanted.selector()) && !beingLifted.contains(lock.id())) {
                return lock;
            }
        }
        byId.put(wanted.id(), wanted);
        standing = List.copyOf(byId.values());
        return wanted;
    }

    /** From here on an order for the same selector makes a lock of its own. @return null when it does not stand, or is being lifted */
    synchronized @Nullable Lock beginLift(String id) {
        Lock lock = byId.get(id);
        return lock != null && beingLifted.add(id) ? lock : null;
    }

    synchronized void endLift(String id, boolean lifted) {
        beingLifted.remove(id);
        if (lifted) {
            byId.remove(id);
            standing = List.copyOf(byId.values());
        }
    }
}
