package io.sallyport;

import io.sallyport.proxy.tls.LeafCertificates;
import java.nio.charset.StandardCharsets;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hands out the certificate of the interception authority: what a sandbox trusts. It is public; its key is sealed in the store. */
@RestController
class CaController {

    private static final MediaType PEM = MediaType.parseMediaType("application/x-pem-file");

    private final LeafCertificates leaves;

    CaController(LeafCertificates leaves) {
        this.leaves = leaves;
    }

    @GetMapping("/ca.pem")
    ResponseEntity<byte[]> authority() {
        return ResponseEntity.ok()
                .contentType(PEM)
                .cacheControl(CacheControl.noStore())
                .body(leaves.authorityPem().getBytes(StandardCharsets.US_ASCII));
    }
}
