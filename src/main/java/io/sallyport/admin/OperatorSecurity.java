package io.sallyport.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;

/** Who may pass the operator door: a token on each call of the API, or a session that the token opened, with CSRF tokens, for the console. */
final class OperatorSecurity {

    /**
     * Nothing but what this door itself serves; no inline script or style, so that a hostile name out of the ledger that slipped through
     * the templates would still be dead text.
     */
    static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
                    + "base-uri 'none'; frame-ancestors 'none'";

    private static final String SIGN_IN = "/console/sign-in";
    private static final String REQUIRED = unauthorized("The operator token is required: Authorization: Bearer TOKEN.");
    private static final String NOT_IN_FORCE = unauthorized("This is not the operator token in force.");

    private OperatorSecurity() {}

    static SecurityFilterChain api(HttpSecurity http, OperatorTokens tokens) throws Exception {
        return http.securityMatcher("/api/v1/**")
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .headers(headers ->
                        headers.contentSecurityPolicy(policy -> policy.policyDirectives("default-src 'none'")))
                .addFilterBefore(new BearerFilter(tokens), AnonymousAuthenticationFilter.class)
                .exceptionHandling(failures -> failures.authenticationEntryPoint(OperatorSecurity::askForToken))
                .authorizeHttpRequests(requests -> requests.anyRequest().hasRole(Operator.ROLE))
                .build();
    }

    static SecurityFilterChain console(HttpSecurity http, OperatorTokens tokens, SignIn signIn) throws Exception {
        return http.securityMatcher("/console", "/console/**")
                .authenticationManager(new ProviderManager(signIn))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                        .frameOptions(frames -> frames.deny())
                        .referrerPolicy(referrer -> {}))
                .formLogin(form -> form.loginPage(SIGN_IN)
                        .loginProcessingUrl(SIGN_IN)
                        .passwordParameter("token")
                        .defaultSuccessUrl("/console")
                        .failureHandler(
                                (request, response, failure) -> response.sendRedirect(SIGN_IN + "?" + kind(failure))))
                .logout(out -> out.logoutUrl("/console/sign-out").logoutSuccessUrl(SIGN_IN + "?out"))
                .exceptionHandling(failures -> failures.accessDeniedHandler(
                        (request, response, failure) -> response.sendRedirect(SIGN_IN + "?over")))
                .authorizeHttpRequests(requests -> requests.requestMatchers(SIGN_IN, "/console/assets/**")
                        .permitAll()
                        .anyRequest()
                        .access((authentication, context) ->
                                new AuthorizationDecision(authentication.get() instanceof Operator operator
                                        && operator.generation().equals(tokens.generation()))))
                .build();
    }

    private static String unauthorized(String detail) {
        return "{\"title\":\"Unauthorized\",\"status\":401,\"detail\":\"" + detail + "\"}";
    }

    private static String kind(AuthenticationException failure) {
        return failure instanceof LockedException ? "wait" : "wrong";
    }

    private static void askForToken(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        boolean shown = BearerFilter.presented(request) != null;
        response.setStatus(401);
        response.setHeader("WWW-Authenticate", shown ? "Bearer error=\"invalid_token\"" : "Bearer");
        response.setContentType("application/problem+json");
        response.getOutputStream().write((shown ? NOT_IN_FORCE : REQUIRED).getBytes(StandardCharsets.UTF_8));
    }
}
