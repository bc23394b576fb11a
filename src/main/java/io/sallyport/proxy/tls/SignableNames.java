package io.sallyport.proxy.tls;

import java.util.Optional;
import java.util.Set;

/**
 * The hosts that leaves may be minted for: those that documents name, and the hop's own.
 *
 * @param hosts canonical names and IP literals
 * @param parents canonical names of which exactly one label more may stand in front
 */
public record SignableNames(Set<String> hosts, Set<String> parents) {

    public SignableNames {
        hosts = Set.copyOf(hosts);
        parents = Set.copyOf(parents);
    }

    /**
     * What an intermediate for this host is constrained to: the host, or the parent that a wildcard names. One for each and never one for
     * all: every client that shakes hands reads the constraint, and an agent is told nothing of other policies.
     *
     * @return empty for a host that nothing names
     */
    Optional<String> constraint(String host) {
        if (hosts.contains(host)) {
            return Optional.of(host);
        }
        int dot = host.indexOf('.');
        return Optional.of(host.substring(dot + 1)).filter(parent -> dot > 0 && parents.contains(parent));
    }

    boolean permit(String host) {
        return constraint(host).isPresent();
    }
}
