package io.sallyport.admin.api;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A call that can't be served as it came: what is wrong, where, and what is allowed, as an RFC 9457 problem. */
final class BadCall extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    private BadCall(HttpStatus status, ProblemDetail problem) {
        super(status, problem, null);
    }

    /** @param where the parameter or body member, as in {@code select.task} */
    static BadCall malformed(String where, String what, String allowed) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, what);
        problem.setProperty("where", where);
        problem.setProperty("allowed", allowed);
        return new BadCall(HttpStatus.BAD_REQUEST, problem);
    }

    static BadCall notFound(String what) {
        return new BadCall(HttpStatus.NOT_FOUND, ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, what));
    }

    static BadCall conflict(String what) {
        return new BadCall(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, what));
    }

    /** Documents or values that were read and refused, one sentence each. */
    static BadCall unprocessable(String what, List<String> problems) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, what);
        problem.setProperty("problems", problems);
        return new BadCall(HttpStatus.UNPROCESSABLE_CONTENT, problem);
    }
}
