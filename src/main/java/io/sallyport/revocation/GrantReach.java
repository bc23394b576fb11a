package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import java.util.Set;

/** How far a grant reaches under the rule book in force. This room knows no rules; whoever wires it knows both. */
public interface GrantReach {

    /** The names of the credentials that the grant's scopes put on requests. */
    Set<String> credentials(Grant grant);

    /** Whether one of the grant's scopes goes to the origin. */
    boolean reaches(Grant grant, Origin destination);
}
