/** The console: pages for a person. They read what the API reads and order what it orders. */
@NullMarked
package io.sallyport.admin.console;

import org.jspecify.annotations.NullMarked;
