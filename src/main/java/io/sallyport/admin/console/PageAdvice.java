package io.sallyport.admin.console;

import io.sallyport.store.StoreFault;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.ui.Model;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** What all pages of the console share: how values look, and how a fault does. */
@ControllerAdvice(basePackageClasses = PageAdvice.class)
class PageAdvice {

    private static final Show SHOW = new Show();

    @ModelAttribute("show")
    Show show() {
        return SHOW;
    }

    @ExceptionHandler(PageFault.class)
    String fault(PageFault fault, HttpServletResponse response, Model model) {
        return page(fault, response, model);
    }

    @ExceptionHandler({MissingServletRequestParameterException.class, MethodArgumentTypeMismatchException.class})
    String malformed(HttpServletResponse response, Model model) {
        return page(
                new PageFault(400, "Not understood", "Something on the form was missing or not of its kind."),
                response,
                model);
    }

    @ExceptionHandler(StoreFault.class)
    String store(HttpServletResponse response, Model model) {
        return page(
                new PageFault(503, "The store does not answer", "Nothing was changed by this. The log has the cause."),
                response,
                model);
    }

    private static String page(PageFault fault, HttpServletResponse response, Model model) {
        response.setStatus(fault.status());
        model.addAttribute("heading", fault.title());
        model.addAttribute("message", fault.getMessage());
        model.addAttribute("show", SHOW);
        return "message";
    }
}
