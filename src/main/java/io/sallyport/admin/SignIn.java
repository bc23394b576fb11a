package io.sallyport.admin;

import io.sallyport.store.StoreFault;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The console's sign-in: the form's one field against the operator token, slowed down for whoever keeps being wrong. */
final class SignIn implements AuthenticationProvider {

    private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);

    private final OperatorTokens tokens;
    private final SignInThrottle throttle;
    private final Deeds deeds;

    SignIn(OperatorTokens tokens, SignInThrottle throttle, Deeds deeds) {
        this.tokens = tokens;
        this.throttle = throttle;
        this.deeds = deeds;
    }

    @Override
    public @Nullable Authentication authenticate(Authentication asked) {
        HttpServletRequest request = request();
        if (!throttle.mayTry(request.getRemoteAddr())) {
            throw new LockedException("too many wrong tokens");
        }
        Object token = asked.getCredentials();
        if (!tokens.accepts(token == null ? null : token.toString().strip())) {
            throttle.wrong(request.getRemoteAddr());
            throw new BadCredentialsException("not the operator token");
        }
        throttle.right(request.getRemoteAddr());
        Operator operator = new Operator("console", request, tokens.generation());
        try {
            deeds.did(operator.getName(), "console sign-in");
        } catch (StoreFault unrecorded) {
            // Let in all the same: a stop must be possible while the store is down, and the stop itself is recorded
            // when it is back.
            LOG.warn("a sign-in of {} could not be recorded", operator.getName());
        }
        return operator;
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }

    private static HttpServletRequest request() {
        if (RequestContextHolder.currentRequestAttributes() instanceof ServletRequestAttributes attributes) {
            return attributes.getRequest();
        }
        throw new IllegalStateException("a sign-in outside of a request");
    }
}
