package io.sallyport;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Lets a refused start end with its sentence alone, without the stack of whoever was asked for a bean first. A sentence is what one of our own
 * exceptions says, or a value that our own code refused; anything else is a fault, and faults keep their stack.
 */
final class StartRefusedAnalyzer implements FailureAnalyzer {

    private static final String OURS = "io.sallyport.";

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(StartRefusedAnalyzer::isSentence)
                .findFirst()
                .map(cause -> new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause))
                .orElse(null);
    }

    private static boolean isSentence(Throwable cause) {
        return cause.getClass().getName().startsWith(OURS) || (isRefusedValue(cause) && isThrownByUs(cause));
    }

    private static boolean isRefusedValue(Throwable cause) {
        return cause instanceof IllegalArgumentException || cause instanceof IllegalStateException;
    }

    private static boolean isThrownByUs(Throwable cause) {
        StackTraceElement[] stack = cause.getStackTrace();
        return stack.length > 0 && stack[0].getClassName().startsWith(OURS);
    }
}
