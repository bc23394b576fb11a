package io.sallyport.credential.source;

import io.sallyport.net.AwsPlace;
import io.sallyport.net.GuardedExchange;
import io.sallyport.net.TestGuard;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract, asked of a real account: by {@code src/test/sh/aws-contract.sh}, which says what must be there. */
@EnabledIfEnvironmentVariable(named = "SALLYPORT_CONTRACT_AWS_REGION", matches = ".+")
class AwsAccountContractTest extends AwsContract {

    @Override
    Account account() {
        return new Account("region: " + said("REGION"), said("KEY"), said("SECRET"), said("PARAMETER"), said("ROLE"));
    }

    private static String said(String name) {
        String value = System.getenv("SALLYPORT_CONTRACT_AWS_" + name);
        if (value == null) {
            throw new AssertionError("SALLYPORT_CONTRACT_AWS_" + name + " is not set");
        }
        return value;
    }

    @Override
    AwsPlace place() {
        return new AwsPlace(said("REGION"), null, null, List.of());
    }

    @Override
    GuardedExchange exchange() {
        return TestGuard.withSystemNames();
    }
}
