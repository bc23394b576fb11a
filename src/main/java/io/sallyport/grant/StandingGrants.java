package io.sallyport.grant;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that stands, in memory: the answer to each look. Lists may lag behind an ending on another thread; {@link StandingGrant#whyNot}
 * never does.
 */
final class StandingGrants {

    private final TwoClocks clocks;
    private final ConcurrentHashMap<String, StandingGrant> byId = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, StandingGrant> byJti = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Set<StandingGrant>> byTask = new ConcurrentHashMap<>();

    /** By what an address of theirs begins with, as far as every one of a host does: the whole of IPv4, 64 bits of IPv6. */
    private final ConcurrentHashMap<ByteBuffer, Set<StandingGrant>> byHost = new ConcurrentHashMap<>();

    StandingGrants(TwoClocks clocks) {
        this.clocks = clocks;
    }

    TwoClocks clocks() {
        return clocks;
    }

    /** @return false when its parent is not here, so that it can't stand; then it is not kept */
    boolean add(Grant grant) {
        StandingGrant parent = grant.parent() == null ? null : byId.get(grant.parent());
        if (grant.parent() != null && parent == null) {
            return false;
        }
        StandingGrant standing = new StandingGrant(grant, parent, clocks);
        if (parent != null) {
            parent.children().add(standing);
        }
        byTask.compute(grant.task(), (task, members) -> with(members, standing));
        if (standing.host() != null) {
            byHost.compute(standing.host(), (host, members) -> with(members, standing));
        }
        byJti.put(grant.jti(), standing);
        byId.put(grant.id(), standing);
        return true;
    }

    private static Set<StandingGrant> with(@Nullable Set<StandingGrant> members, StandingGrant added) {
        Set<StandingGrant> grown = members == null ? ConcurrentHashMap.newKeySet(2) : members;
        grown.add(added);
        return grown;
    }

    private static @Nullable Set<StandingGrant> without(Set<StandingGrant> members, StandingGrant gone) {
        members.remove(gone);
        return members.isEmpty() ? null : members;
    }

    List<Grant> boundTo(InetAddress source) {
        List<StandingGrant> among = new ArrayList<>(byHost.getOrDefault(StandingGrant.host(source), Set.of()));
        among.addAll(byHost.getOrDefault(StandingGrant.ANY_HOST, Set.of()));
        among.removeIf(standing -> !standing.boundTo(source));
        return those(among, grant -> true);
    }

    @Nullable
    StandingGrant byId(String id) {
        return byId.get(id);
    }

    @Nullable
    StandingGrant byJti(String jti) {
        return byJti.get(jti);
    }

    @Nullable
    Grant parentOf(Grant grant) {
        StandingGrant parent = grant.parent() == null ? null : byId.get(grant.parent());
        return parent == null ? null : parent.grant();
    }

    boolean stands(String id) {
        StandingGrant standing = byId.get(id);
        return standing != null && standing.whyNot(clocks) == null;
    }

    List<Grant> matching(Predicate<Grant> selector) {
        return those(byId.values(), selector);
    }

    List<Grant> ofTask(String task) {
        return those(byTask.getOrDefault(task, Set.of()), grant -> true);
    }

    private List<Grant> those(Collection<StandingGrant> among, Predicate<Grant> selector) {
        List<Grant> found = new ArrayList<>();
        for (StandingGrant standing : among) {
            if (standing.whyNot(clocks) == null && selector.test(standing.grant())) {
                found.add(standing.grant());
            }
        }
        return found;
    }

    /** Ends these and what descends from them; answers with the news of those that stood. The named ones come first, with the reason given. */
    List<GrantEnded> end(Collection<Grant> grants, EndReason reason) {
        List<GrantEnded> news = new ArrayList<>();
        Deque<StandingGrant> line = new ArrayDeque<>();
        for (Grant grant : grants) {
            StandingGrant standing = byId.get(grant.id());
            if (standing != null) {
                end(standing, reason, news);
                line.add(standing);
            }
        }
        while (!line.isEmpty()) {
            for (StandingGrant child : line.remove().children()) {
                end(child, EndReason.PARENT_ENDED, news);
                line.add(child);
            }
        }
        return news;
    }

    private void end(StandingGrant standing, EndReason reason, List<GrantEnded> news) {
        boolean expired = standing.expired(clocks);
        if (standing.end(reason) && !expired) {
            news.add(new GrantEnded(standing.grant(), reason));
        }
    }

    /** Lets go of what no longer stands; the disk keeps it. @return how many */
    int forgetEnded() {
        int forgotten = 0;
        for (StandingGrant standing : byId.values()) {
            if (standing.whyNot(clocks) != null) {
                forget(standing);
                forgotten++;
            }
        }
        return forgotten;
    }

    private void forget(StandingGrant standing) {
        Grant grant = standing.grant();
        byId.remove(grant.id(), standing);
        byJti.remove(grant.jti(), standing);
        byTask.computeIfPresent(grant.task(), (task, members) -> without(members, standing));
        if (standing.host() != null) {
            byHost.computeIfPresent(standing.host(), (host, members) -> without(members, standing));
        }
        StandingGrant parent = standing.parent();
        if (parent != null) {
            parent.children().remove(standing);
        }
    }

    int size() {
        return byId.size();
    }
}
