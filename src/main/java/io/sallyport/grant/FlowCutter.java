package io.sallyport.grant;

import java.util.Collection;

/** Cuts what is on the wire under grants that have just ended, and counts it for the receipt. */
@FunctionalInterface
public interface FlowCutter {

    /**
     * Cuts every flow of these grants that still runs. The grants have ended in memory before, so no new flow can begin.
     *
     * @return how many flows these endings cut: those that this call cuts, and those that the news ({@link GrantEnded}) has cut already
     */
    int cut(Collection<Grant> ended);
}
