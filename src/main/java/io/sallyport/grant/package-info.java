/**
 * What was given, to whom, until when, and whether it still stands. Grants, their budgets, and the task tokens that name them.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"document", "http", "store", "identity", "policy"})
package io.sallyport.grant;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
