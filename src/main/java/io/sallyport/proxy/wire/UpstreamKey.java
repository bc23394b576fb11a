package io.sallyport.proxy.wire;

import io.sallyport.http.Origin;
import java.net.InetAddress;

/**
 * What two requests must share to share a connection. The credential is part of it: some destinations bind a connection to whoever
 * authenticated on it first.
 *
 * @param address that was judged for this request, never another that the name once had
 * @param terms by which roots it was verified, and what it proved itself with
 */
record UpstreamKey(Origin origin, InetAddress address, String credentialVersion, String terms) {}
