package io.sallyport;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Answers 404 to whatever is not behind the door that was knocked at. It stands in the engine, before filters, security, static resources
 * and error pages; and it tells doors apart by the connector, which no header of a request can pretend to be.
 */
final class DoorValve extends ValveBase {

    private final Function<Connector, Door> doors;

    DoorValve(Function<Connector, Door> doors) {
        super(true);
        this.doors = doors;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String path = request.getRequestURI();
        if (path != null && doors.apply(request.getConnector()).leadsTo(path)) {
            getNext().invoke(request, response);
            return;
        }
        response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        response.setContentLength(0);
    }
}
