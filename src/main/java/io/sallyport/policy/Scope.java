package io.sallyport.policy;

import io.sallyport.document.Rate;
import io.sallyport.http.AllowPattern;
import io.sallyport.http.Destination;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One kind of request that a policy allows.
 *
 * @param query null-free; empty optional for no constraint, an empty map for {@code query: none}
 * @param keep slot names (lower case) that hold no credential here
 * @param bodyLimit bytes of content of one request
 * @param wide the reason given for a wide pattern
 * @param upgrades protocols that a request may switch its connection to
 * @param trust the file, as written, of the only roots that the destination's certificate may come from; empty for the usual ones
 * @param narrow by credential, in the words of its source's kind: what of it is had for this scope; empty for all that its document says
 * @param intercept false where a tunnel to the destination is passed through unread: then there is nothing to allow, and no credential
 */
public record Scope(
        String name,
        String reason,
        Destination destination,
        List<AllowPattern> allow,
        CredentialUse credential,
        PathMode paths,
        Optional<Map<String, List<String>>> query,
        Set<String> keep,
        Optional<Rate> rate,
        OptionalLong bodyLimit,
        Optional<String> wide,
        Set<Upgrade> upgrades,
        Optional<String> trust,
        Map<String, Map<String, Object>> narrow,
        boolean intercept) {}
