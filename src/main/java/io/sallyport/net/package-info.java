/**
 * The one guard for all dialling: resolution, reserved address ranges, and the client for the broker's own calls.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"http"})
package io.sallyport.net;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
