/**
 * Documents become one cross-checked, compiled, immutable rule book that is swapped whole. The only room that knows YAML.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"document", "http", "store", "net", "identity", "policy", "credential"})
package io.sallyport.rules;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
