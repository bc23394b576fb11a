/** The operator API, {@code /api/v1}: thin controllers, records for bodies, problems as RFC 9457. */
@NullMarked
package io.sallyport.admin.api;

import org.jspecify.annotations.NullMarked;
