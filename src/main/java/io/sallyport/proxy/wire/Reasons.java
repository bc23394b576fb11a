package io.sallyport.proxy.wire;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Reason phrases for answers of our own. */
final class Reasons {

    private Reasons() {}

    static String of(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
}
