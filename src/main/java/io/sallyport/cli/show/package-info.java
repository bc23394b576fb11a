/** The first command: the main job played on a TLS origin of its own, without a network, each step with what everybody saw. */
@NullMarked
package io.sallyport.cli.show;

import org.jspecify.annotations.NullMarked;
