package io.sallyport.credential;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The forms in which an upstream may echo a secret. {@code docs/reference/scrubbing.md} lists them, and those that are not among them. */
final class SecretShapes {

    private SecretShapes() {}

    static List<Shape> of(byte[] secret) {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(Shape.raw(secret));
        shapes.add(Shape.hex(secret));
        addBase64(shapes, secret);
        return shapes;
    }

    /**
     * With the user name and password of Basic (RFC 7617) together, and what goes over the wire for them: an upstream that encodes the
     * whole field once more shows neither the secret nor its base64.
     *
     * @param pair {@code user:secret}
     */
    static List<Shape> ofBasic(byte[] secret, byte[] pair) {
        List<Shape> shapes = of(secret);
        addBase64(shapes, pair);
        byte[] onTheWire = Base64.getEncoder().withoutPadding().encode(pair);
        shapes.add(Shape.hex(onTheWire));
        addBase64(shapes, onTheWire);
        return shapes;
    }

    private static void addBase64(List<Shape> shapes, byte[] bytes) {
        for (int offset = 0; offset < 3; offset++) {
            shapes.add(Shape.base64(bytes, offset));
        }
    }
}
