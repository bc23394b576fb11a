package io.sallyport;

import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * What the agent and management doors let through without asking who it is (their endpoints judge for themselves), and the last word for
 * everything that no chain speaks for: no.
 */
@Configuration(proxyBeanMethods = false)
class SecurityWiring {

    @Bean
    @Order(100)
    SecurityFilterChain agentDoorSecurity(HttpSecurity http) throws Exception {
        return withoutSession(http.securityMatcher("/oauth2/**", "/.well-known/**", "/ca.pem"))
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    @Order(110)
    SecurityFilterChain managementDoorSecurity(HttpSecurity http) throws Exception {
        return withoutSession(http.securityMatcher("/actuator/**"))
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    SecurityFilterChain everythingElseSecurity(HttpSecurity http) throws Exception {
        return withoutSession(http)
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .anyRequest()
                        .denyAll())
                .build();
    }

    /** No session, no sign-in of Spring's own, and no CSRF token: these callers carry nothing that a browser would add by itself. */
    private static HttpSecurity withoutSession(HttpSecurity http) throws Exception {
        return http.csrf(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(anonymous -> {})
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
    }
}
