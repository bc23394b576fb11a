/**
 * The root: starts the broker, binds its settings, and opens its doors. Rooms get plain values from here; none looks back.
 */
@NullMarked
package io.sallyport;

import org.jspecify.annotations.NullMarked;
