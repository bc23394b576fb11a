package io.sallyport.cli;

import java.net.URI;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of a door: a scheme, a host and perhaps a port, and nothing that would be left out in silence. */
final class DoorUrl implements CommandLine.ITypeConverter<URI> {

    @Override
    public URI convert(String value) {
        String refusal = "'" + value + "' is not a door's address; allowed: http://HOST:PORT or https://HOST:PORT";
        try {
            URI uri = URI.create(value);
            boolean scheme = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean bare = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            if (!scheme || uri.getHost() == null || !bare || !isRoot(uri.getPath())) {
                throw new TypeConversionException(refusal);
            }
            return uri;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(refusal);
        }
    }

    private static boolean isRoot(String path) {
        return path.isEmpty() || path.equals("/");
    }
}
