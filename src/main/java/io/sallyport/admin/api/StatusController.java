package io.sallyport.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.admin.OperatorTokens;
import io.sallyport.admin.Rules;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Ledger;
import io.sallyport.revocation.Revocations;
import io.sallyport.store.Writer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The broker itself: how it is, and its operator token. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "Broker")
class StatusController {

    private final Rules rules;
    private final Grants grants;
    private final Ledger ledger;
    private final Revocations revocations;
    private final Writer writer;
    private final OperatorTokens tokens;

    StatusController(
            Rules rules, Grants grants, Ledger ledger, Revocations revocations, Writer writer, OperatorTokens tokens) {
        this.rules = rules;
        this.grants = grants;
        this.ledger = ledger;
        this.revocations = revocations;
        this.writer = writer;
        this.tokens = tokens;
    }

    /**
     * How the broker is.
     *
     * @param problems of the last reload, while the rules in force are older than the documents
     * @param storeWritable whether the last attempt to write succeeded; while it is false nothing leaves
     */
    record Status(
            @JsonProperty("rules_digest") String rulesDigest,
            List<String> problems,
            int tasks,
            int grants,
            int locks,
            @JsonProperty("ledger_entries") long ledgerEntries,
            @JsonProperty("chain_hash") String chainHash,
            @JsonProperty("store_writable") boolean storeWritable) {}

    /** @param place the file on the broker's machine that holds the new token */
    record Rotated(String place) {}

    @GetMapping("/status")
    @Operation(summary = "How the broker is")
    Status status() {
        var standing = grants.standing(grant -> true);
        var head = ledger.head();
        return new Status(
                rules.digest(),
                rules.problems(),
                (int) standing.stream().map(grant -> grant.task()).distinct().count(),
                standing.size(),
                revocations.locks().size(),
                head.entries(),
                head.chainHash(),
                writer.healthy());
    }

    @PostMapping("/operator-token/rotate")
    @Operation(
            summary = "Replace the operator token: the old one and its sessions end, the new one is in the file named")
    Rotated rotate(Authentication by) {
        return new Rotated(tokens.rotate(by.getName()).toString());
    }
}
