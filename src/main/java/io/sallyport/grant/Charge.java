package io.sallyport.grant;

import io.sallyport.document.Rate;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one request or one window of it costs; reserved in the same transaction as its ledger entry, on the grant, all its ancestors and the
 * workload's day.
 *
 * @param uses 1 for a request's admission, 0 for a further window; the rate is charged with a use
 * @param bytesOut target, fields and content, in bytes
 * @param rate of the scope; null for none
 * @param dayUses and
 * @param dayBytesOut of the workload under this policy in a UTC day; empty for none
 */
public record Charge(
        Grant grant,
        String scope,
        int uses,
        long bytesOut,
        @Nullable Rate rate,
        OptionalLong dayUses,
        OptionalLong dayBytesOut) {

    public Charge {
        if (uses < 0 || bytesOut < 0) {
            throw new IllegalArgumentException("a charge is never negative: " + uses + " uses, " + bytesOut + " bytes");
        }
    }
}
