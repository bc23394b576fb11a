/**
 * A document as a strict reader sees it: keys that are asked for, keys that are left over, and quantities with their units. It knows no YAML, no file and none of the kinds; what it finds wrong it says with the place and with what is allowed.
 */
@NullMarked
@ApplicationModule(allowedDependencies = "http")
package io.sallyport.document;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
