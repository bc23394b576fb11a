package io.sallyport.credential.injection;

import io.sallyport.http.RequestHead;
import java.util.List;

/** An injection into the head, in whose place a client may show a placeholder. */
interface Swappable extends Injection {

    /** What stands in the place, without its encoding and whatever goes around it; one for each time that the place is there. */
    List<String> brought(RequestHead asked);

    /** The request without the place: nowhere in it may the placeholder stand. */
    RequestHead without(RequestHead asked);

    /** As a sentence about it begins, as in {@code the field X-Key}. */
    String place();
}
