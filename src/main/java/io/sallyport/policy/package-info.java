/**
 * May they? Compiled scope policies, and the pure function that tells which scope a request belongs to and whether it may pass. No I/O, no clock, no framework.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"document", "http", "identity"})
package io.sallyport.policy;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
