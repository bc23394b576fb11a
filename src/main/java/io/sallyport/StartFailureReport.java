package io.sallyport;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Says on standard error, in a line or two, why the broker does not start; Spring Boot's own banner is switched off in application.yml. */
final class StartFailureReport implements FailureAnalysisReporter {

    @Override
    public void report(FailureAnalysis analysis) {
        System.err.println(text(analysis));
    }

    static String text(FailureAnalysis analysis) {
        String action = analysis.getAction();
        return "sallyport: the broker does not start. "
                + analysis.getDescription().strip() + (action == null || action.isBlank() ? "" : "\n" + action.strip());
    }
}
