package io.sallyport.admin.api;

import io.sallyport.store.StoreFault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Every failure of the API as an RFC 9457 problem, saying what, where and what is allowed; never a stack, a class or a value of a secret. */
@RestControllerAdvice(basePackageClasses = ApiAdvice.class)
class ApiAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ApiAdvice.class);

    @ExceptionHandler(StoreFault.class)
    ResponseEntity<ProblemDetail> store(StoreFault fault) {
        LOG.warn("an operator's call met a store that does not answer", fault);
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "5")
                .body(ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "The store does not answer; nothing was changed by this call."));
    }

    @ExceptionHandler(IllegalArgumentException.class)
    ResponseEntity<ProblemDetail> malformed(IllegalArgumentException wrong) {
        return ResponseEntity.badRequest()
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(wrong.getMessage())));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        ProblemDetail problem =
                ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "The body can't be read as JSON.");
        switch (unreadable.getCause()) {
            case UnrecognizedPropertyException unknown -> {
                problem.setDetail("The body has a member that is not known here.");
                problem.setProperty("where", unknown.getPropertyName());
                problem.setProperty("allowed", String.valueOf(unknown.getKnownPropertyIds()));
            }
            case JacksonException json
            when json.getLocation() != null ->
                problem.setProperty(
                        "where",
                        "line " + json.getLocation().getLineNr() + ", column "
                                + json.getLocation().getColumnNr());
            case null, default -> problem.setProperty("allowed", "one JSON object");
        }
        return ResponseEntity.badRequest().body(problem);
    }
}
