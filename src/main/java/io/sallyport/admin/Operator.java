package io.sallyport.admin;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** Somebody who showed the operator token. There is one token, so the ledger names the way in and the address it was used from. */
public final class Operator extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    static final String ROLE = "OPERATOR";

    private final String name;
    private final String generation;

    /** @param generation of the token that was shown */
    Operator(String way, HttpServletRequest request, String generation) {
        super(AuthorityUtils.createAuthorityList("ROLE_" + ROLE));
        this.name = "operator by " + way + " from " + request.getRemoteAddr();
        this.generation = generation;
        setAuthenticated(true);
    }

    /** The token itself is forgotten once it has been checked. */
    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public Object getPrincipal() {
        return name;
    }

    String generation() {
        return generation;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Operator that && name.equals(that.name) && generation.equals(that.generation);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + generation.hashCode();
    }
}
