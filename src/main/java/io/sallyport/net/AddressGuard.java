package io.sallyport.net;

import java.net.InetAddress;
import java.util.List;

/**
 * Decides whether an address may be dialled. Every reserved range (RFC 6890 and kin, in every embedding: mapped, NAT64, 6to4) is out
 * unless the document names it; the broker's own doors are out always.
 */
public interface AddressGuard {

    sealed interface Judgement {
        /** @param addresses all that the name answered with, in order, each allowed; never empty */
        record Allowed(List<InetAddress> addresses) implements Judgement {}

        /** @param reason for the ledger and the agent alike: names the range, never another host */
        record Forbidden(String reason) implements Judgement {}
    }

    /**
     * One forbidden address among several forbids them all.
     *
     * @param permitted the reserved ranges that the document names; empty for none
     * @param port the port that would be dialled
     */
    Judgement judge(List<InetAddress> resolved, int port, List<Cidr> permitted);
}
