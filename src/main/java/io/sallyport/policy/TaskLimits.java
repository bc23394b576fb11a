package io.sallyport.policy;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The sizes of one task of a policy, and what it is bound to.
 *
 * @param ttl of a grant, from its opening
 * @param uses requests admitted in all
 * @param bytesOut targets, fields and content in all, in bytes
 * @param depth how often a task token may be exchanged for a narrower one
 * @param atOnce flows of the task running at the same time; empty for no limit of its own
 * @param dayUses and
 * @param dayBytesOut of one workload under this policy in a UTC day; empty for none
 * @param binding of a task that is opened under the policy; its parts keep what the task has
 */
public record TaskLimits(
        Duration ttl,
        long uses,
        long bytesOut,
        int depth,
        OptionalLong atOnce,
        OptionalLong dayUses,
        OptionalLong dayBytesOut,
        Binding binding) {}
