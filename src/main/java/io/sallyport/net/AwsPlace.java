package io.sallyport.net;

import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/**
 * Which AWS is spoken to. Nothing of it is found out: what no document or setting names is the region's public endpoint.
 *
 * @param region as in {@code eu-central-1}; requests are signed for it
 * @param endpoint in place of the region's public one: a VPC endpoint, a local stand-in; null for the public one
 * @param trust a PEM file of the only roots to trust; null for the system's
 * @param permitted reserved ranges that the document or setting names
 */
public record AwsPlace(
        String region, @Nullable Origin endpoint, @Nullable Path trust, List<Cidr> permitted) {

    private static final Pattern REGION = Pattern.compile("[a-z]{2,4}(-[a-z]+)+-\\d{1,2}");

    public AwsPlace {
        if (!isRegion(region)) {
            throw new IllegalArgumentException("no region is spelled like that: " + region);
        }
        permitted = List.copyOf(permitted);
    }

    /** Whether that is how a region is spelled. It becomes part of a host's name: nothing else may. */
    public static boolean isRegion(String text) {
        return REGION.matcher(text).matches();
    }

    /** @param service the first label of its public endpoints, as in {@code sts} */
    public Origin of(String service) {
        if (endpoint != null) {
            return endpoint;
        }
        String suffix = PartitionMetadata.of(Region.of(region)).dnsSuffix();
        return switch (Origin.parse("https://" + service + "." + region + "." + suffix)) {
            case Parsed.Valid<Origin>(Origin origin) -> origin;
            case Parsed.Malformed<Origin>(String reason) ->
                throw new IllegalStateException(service + " in " + region + ": " + reason);
        };
    }
}
