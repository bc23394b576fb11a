/**
 * The broker's own plain view of a message: heads, fields, origins, canonical targets and the patterns that match them. One parse and one canonical form for the whole product: what was judged is what is sent. Nothing here knows a socket, a framework or a library's types.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.sallyport.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
