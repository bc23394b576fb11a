package io.sallyport.admin;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reads the operator token of one call of the API (RFC 6750 section 2.1: the Authorization field, never the query or a form). */
final class BearerFilter extends OncePerRequestFilter {

    private static final String SCHEME = "Bearer ";

    private final OperatorTokens tokens;

    BearerFilter(OperatorTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (tokens.accepts(presented(request))) {
            SecurityContext context = SecurityContextHolder.createEmptyContext();
            context.setAuthentication(new Operator("API", request, tokens.generation()));
            SecurityContextHolder.setContext(context);
        }
        chain.doFilter(request, response);
    }

    static @Nullable String presented(HttpServletRequest request) {
        String field = request.getHeader("Authorization");
        return field != null && field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? field.substring(SCHEME.length()).strip()
                : null;
    }
}
