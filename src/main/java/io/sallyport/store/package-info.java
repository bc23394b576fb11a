/**
 * Where durable things are: one group-committing writer, readers beside it, and the seal over whatever rests encrypted. Rooms bring their own tables and statements; this room brings the transaction and its fsync.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.sallyport.store;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
