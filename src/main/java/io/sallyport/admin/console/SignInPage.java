package io.sallyport.admin.console;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** The way in. The form is answered by the sign-in filter. */
@Controller
class SignInPage {

    @GetMapping("/console/sign-in")
    String form() {
        return "sign-in";
    }
}
