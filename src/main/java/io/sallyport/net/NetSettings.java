package io.sallyport.net;

import java.util.List;

/** @param nameServers {@code ip}, {@code ip:port} or {@code [ip6]:port}, asked in order; empty for the system's resolver */
public record NetSettings(List<String> nameServers) {

    public NetSettings {
        nameServers = List.copyOf(nameServers);
    }
}
