package io.sallyport.admin.api;

import io.sallyport.admin.CredentialView;
import io.sallyport.admin.PolicyView;
import io.sallyport.admin.Rules;
import io.sallyport.admin.Rules.Change;
import io.sallyport.rules.RuleBook.Document;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The rule book's documents: read all, write those that live in the database. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "Rules")
class DocumentsController {

    private static final String YAML = "application/yaml";

    private final Rules rules;

    DocumentsController(Rules rules) {
        this.rules = rules;
    }

    record PolicyList(String digest, List<PolicyView> policies) {}

    record CredentialList(String digest, List<CredentialView> credentials) {}

    record IdentityList(String digest, List<DocumentView> identities) {}

    /** @param home {@code file} or {@code database} */
    record DocumentView(String name, String home, String place, String text) {

        static DocumentView of(Document document) {
            return new DocumentView(document.name(), document.home(), document.place(), document.text());
        }
    }

    record OnePolicy(PolicyView policy, DocumentView document) {}

    record OneCredential(CredentialView credential, DocumentView document) {}

    /** @param digest of the rule book in force */
    record InForce(String digest) {}

    @GetMapping("/policies")
    @Operation(summary = "The policies in force")
    PolicyList policies() {
        return new PolicyList(rules.digest(), rules.policies());
    }

    @GetMapping("/policies/{name}")
    @Operation(summary = "One policy, compiled and as written")
    OnePolicy policy(@PathVariable String name) {
        return rules.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .map(policy -> new OnePolicy(policy, document("policy", name)))
                .orElseThrow(() -> unknown("policy", name));
    }

    @PutMapping(path = "/policies/{name}", consumes = YAML)
    @Operation(summary = "Write a policy of the database; the book is swapped whole or stays")
    @ApiResponse(responseCode = "200", description = "In force")
    @ApiResponse(
            responseCode = "409",
            description = "The name lives in a file",
            content = {})
    @ApiResponse(
            responseCode = "422",
            description = "Refused: problems says what, where and what is allowed",
            content = {})
    InForce putPolicy(@PathVariable String name, @RequestBody String text, Authentication by) {
        return put("policy", name, text, by);
    }

    @DeleteMapping("/policies/{name}")
    @Operation(summary = "Remove a policy of the database; its grants end")
    ResponseEntity<Void> deletePolicy(@PathVariable String name, Authentication by) {
        return delete("policy", name, by);
    }

    @GetMapping("/credentials")
    @Operation(summary = "The credentials in force: public faces, no secrets")
    CredentialList credentials() {
        return new CredentialList(rules.digest(), rules.credentials());
    }

    @GetMapping("/credentials/{name}")
    @Operation(summary = "One credential, compiled and as written")
    OneCredential credential(@PathVariable String name) {
        return rules.credentials().stream()
                .filter(credential -> credential.name().equals(name))
                .findFirst()
                .map(credential -> new OneCredential(credential, document("credential", name)))
                .orElseThrow(() -> unknown("credential", name));
    }

    @PutMapping(path = "/credentials/{name}", consumes = YAML)
    @Operation(summary = "Write a credential document of the database; its secret is entered apart")
    InForce putCredential(@PathVariable String name, @RequestBody String text, Authentication by) {
        return put("credential", name, text, by);
    }

    @DeleteMapping("/credentials/{name}")
    @Operation(summary = "Remove a credential document of the database")
    ResponseEntity<Void> deleteCredential(@PathVariable String name, Authentication by) {
        return delete("credential", name, by);
    }

    @GetMapping("/identities")
    @Operation(summary = "The identities in force")
    IdentityList identities() {
        return new IdentityList(
                rules.digest(),
                rules.documents("identity").stream().map(DocumentView::of).toList());
    }

    @GetMapping("/identities/{name}")
    @Operation(summary = "One identity as written")
    DocumentView identity(@PathVariable String name) {
        return document("identity", name);
    }

    @PutMapping(path = "/identities/{name}", consumes = YAML)
    @Operation(summary = "Write an identity of the database")
    InForce putIdentity(@PathVariable String name, @RequestBody String text, Authentication by) {
        return put("identity", name, text, by);
    }

    @DeleteMapping("/identities/{name}")
    @Operation(summary = "Remove an identity of the database")
    ResponseEntity<Void> deleteIdentity(@PathVariable String name, Authentication by) {
        return delete("identity", name, by);
    }

    @PostMapping("/reload")
    @Operation(summary = "Read all documents anew; a bad one keeps the book that is in force")
    InForce reload(Authentication by) {
        return inForce(rules.reload(by.getName()), "the rules", null);
    }

    private InForce put(String kind, String name, String text, Authentication by) {
        return inForce(rules.put(kind, name, text, by.getName()), kind, name);
    }

    private ResponseEntity<Void> delete(String kind, String name, Authentication by) {
        inForce(rules.remove(kind, name, by.getName()), kind, name);
        return ResponseEntity.noContent().build();
    }

    private InForce inForce(Change change, String kind, @Nullable String name) {
        return switch (change) {
            case Change.Done done -> new InForce(rules.digest());
            case Change.Unknown unknown -> throw unknown(kind, String.valueOf(name));
            case Change.ReadOnly(String place) ->
                throw BadCall.conflict("The " + kind + " " + name + " lives in the file " + place
                        + " and is read-only here: change the file and reload.");
            case Change.Refused(List<String> problems) ->
                throw BadCall.unprocessable("Refused: the rule book in force stays as it is.", problems);
        };
    }

    private DocumentView document(String kind, String name) {
        return rules.document(kind, name).map(DocumentView::of).orElseThrow(() -> unknown(kind, name));
    }

    private static BadCall unknown(String kind, String name) {
        return BadCall.notFound("There is no " + kind + " " + name + " in the rule book.");
    }
}
