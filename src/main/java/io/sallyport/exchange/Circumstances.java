package io.sallyport.exchange;

import io.sallyport.grant.RandomId;
import io.sallyport.rules.RuleBook;
import java.net.InetAddress;
import java.time.Instant;

/**
 * What a decision depends on beside the request: taken once, so that it is one moment's answer.
 *
 * @param source the address that the request came from
 * @param names for what may be opened
 */
record Circumstances(RuleBook book, InetAddress source, Instant now, Names names) {

    record Names(String grant, String jti, String task) {

        static Names fresh() {
            return new Names(RandomId.of("grant"), RandomId.of("jti"), RandomId.of("task"));
        }
    }
}
