package io.sallyport.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses query parameters that a call does not know, and known ones given twice: a misspelt {@code task=} in a look-up or an order would
 * otherwise mean "all of them".
 */
public final class KnownParameters implements HandlerInterceptor {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method
                && method.getBeanType().getPackage() == KnownParameters.class.getPackage()) {
            check(request.getParameterMap(), known(method));
        }
        return true;
    }

    static void check(Map<String, String[]> given, Set<String> known) {
        given.forEach((name, values) -> {
            if (!known.contains(name)) {
                throw BadCall.malformed(
                        name,
                        "The parameter " + name + " is not known here.",
                        known.isEmpty() ? "no parameters" : String.join(", ", known));
            }
            if (values.length > 1) {
                throw BadCall.malformed(name, "The parameter " + name + " is given more than once.", "once");
            }
        });
    }

    private static Set<String> known(HandlerMethod method) {
        return Arrays.stream(method.getMethodParameters())
                .filter(parameter -> parameter.hasParameterAnnotation(RequestParam.class))
                .map(KnownParameters::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(MethodParameter parameter) {
        RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
        return named != null && !named.value().isEmpty()
                ? named.value()
                : parameter.getParameter().getName();
    }
}
