package io.sallyport;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lets a refused start end with its sentence alone, without the stack of whoever was asked for a bean first. */
final class StartRefusedAnalyzer extends AbstractFailureAnalyzer<StartRefused> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartRefused cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
    }
}
