package io.sallyport.net;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;

/**
 * What one DNS message says about one question: only records that the chain of aliases from the asked name leads to.
 *
 * @param seconds the shortest time to live along the chain
 * @param problem why there is no address; empty where there is one
 * @param settled false where another name server may know better: this one could not answer, or would not
 */
record NameAnswer(List<InetAddress> addresses, long seconds, String problem, boolean settled) {

    private static final int LONGEST_CHAIN = 16;

    /** That there is no address, as a name server says. */
    private static NameAnswer none(String problem) {
        return new NameAnswer(List.of(), 0, problem, true);
    }

    static NameAnswer unsettled(String problem) {
        return new NameAnswer(List.of(), 0, problem, false);
    }

    static NameAnswer read(Name asked, int type, Message message) {
        if (!message.getHeader().getFlag(Flags.QR)) {
            return unsettled("the name servers do not answer");
        }
        switch (message.getRcode()) {
            case Rcode.NOERROR -> {}
            case Rcode.NXDOMAIN -> {
                return none("no such name");
            }
            default -> {
                return unsettled("the name servers refuse to answer");
            }
        }
        List<org.xbill.DNS.Record> records = message.getSection(Section.ANSWER);
        Name owner = asked;
        long seconds = Long.MAX_VALUE;
        for (int hops = 0; hops < LONGEST_CHAIN; hops++) {
            CNAMERecord alias = alias(owner, records);
            if (alias == null) {
                return addresses(owner, type, records, seconds);
            }
            owner = alias.getTarget();
            seconds = Math.min(seconds, alias.getTTL());
        }
        return none("the name's aliases lead nowhere");
    }

    private static @Nullable CNAMERecord alias(Name owner, List<org.xbill.DNS.Record> records) {
        for (org.xbill.DNS.Record entry : records) {
            if (entry instanceof CNAMERecord alias && alias.getName().equals(owner)) {
                return alias;
            }
        }
        return null;
    }

    private static NameAnswer addresses(Name owner, int type, List<org.xbill.DNS.Record> records, long seconds) {
        List<InetAddress> found = new ArrayList<>();
        long shortest = seconds;
        for (org.xbill.DNS.Record entry : records) {
            if (entry.getType() == type && entry.getName().equals(owner)) {
                found.add(entry instanceof ARecord v4 ? v4.getAddress() : ((AAAARecord) entry).getAddress());
                shortest = Math.min(shortest, entry.getTTL());
            }
        }
        return found.isEmpty() ? none("the name has no address") : new NameAnswer(found, shortest, "", true);
    }
}
