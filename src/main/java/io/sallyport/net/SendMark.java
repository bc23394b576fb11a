package io.sallyport.net;

import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/** Remembers whether a call came as far as its first byte: dialling, a proxy on the way and the TLS handshake come before. */
final class SendMark extends HttpRequestExecutor {

    private volatile boolean sent;

    boolean sent() {
        return sent;
    }

    @Override
    public ClassicHttpResponse execute(
            ClassicHttpRequest request,
            HttpClientConnection connection,
            @Nullable HttpResponseInformationCallback informed,
            HttpContext context)
            throws IOException, HttpException {
        sent = true;
        return super.execute(request, connection, informed, context);
    }
}
