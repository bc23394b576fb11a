package io.sallyport.rules;

import io.sallyport.credential.BlastRadius;
import io.sallyport.identity.Isolation;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where documents are, and what may reach what.
 *
 * @param rules the folder of documents
 * @param reach for each blast radius, the isolations that may reach a credential that has it; one that is missing is reached by none
 * @param issuer of the broker's own tokens, which no identity may name; null where documents are checked away from their broker
 */
public record RulesSettings(
        Path rules,
        Map<BlastRadius, Set<Isolation>> reach,
        @Nullable String issuer) {

    public RulesSettings {
        reach = Map.copyOf(reach);
    }

    /** With the reach that holds where settings say nothing: the farther the damage, the thicker the wall. */
    public static RulesSettings in(Path rules) {
        return new RulesSettings(
                rules,
                Map.of(
                        BlastRadius.LOW,
                        EnumSet.allOf(Isolation.class),
                        BlastRadius.MEDIUM,
                        EnumSet.complementOf(EnumSet.of(Isolation.HOST)),
                        BlastRadius.HIGH,
                        EnumSet.of(Isolation.SEALED_VM, Isolation.REMOTE_EPHEMERAL, Isolation.AIR_GAPPED)),
                null);
    }
}
