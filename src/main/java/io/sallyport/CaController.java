package io.sallyport;

import io.sallyport.proxy.InterceptionRoot;
import java.nio.charset.StandardCharsets;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hands out the certificates of the interception authorities: what a sandbox trusts. They are public; their keys are sealed in the store. */
@RestController
class CaController {

    private static final MediaType PEM = MediaType.parseMediaType("application/x-pem-file");

    private final InterceptionRoot root;

    CaController(InterceptionRoot root) {
        this.root = root;
    }

    @GetMapping("/ca.pem")
    ResponseEntity<byte[]> authority() {
        return ResponseEntity.ok()
                .contentType(PEM)
                .cacheControl(CacheControl.noStore())
                .body(root.pem().getBytes(StandardCharsets.US_ASCII));
    }
}
