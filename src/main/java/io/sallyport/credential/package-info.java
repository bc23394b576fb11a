/**
 * The only room that sees a secret: what secrets we hold, how they are leased, how they enter a request, and how they are kept out of an answer. A secret leaves this room in one way: inside a lease, into a request head.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"document", "http", "store", "net", "grant"})
package io.sallyport.credential;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
