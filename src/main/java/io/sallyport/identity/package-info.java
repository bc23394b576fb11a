/**
 * Who asks, and for whom: verified, never assumed. A token goes in; a verified workload (and the person it acts for) comes out, or a refusal whose cause is for the ledger alone.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"document", "http", "net"})
package io.sallyport.identity;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
