package io.sallyport.credential.source;

import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.net.AwsPlace;
import io.sallyport.net.Cidr;
import io.sallyport.net.GuardedExchange;
import io.sallyport.net.TestGuard;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract, kept by the stand-in. */
class AwsStandInContractTest extends AwsContract {

    private AwsStandInCase standIn;

    @BeforeEach
    void open() {
        standIn = new AwsStandInCase(folder);
    }

    @AfterEach
    void close() {
        standIn.close();
    }

    @Override
    Account account() {
        return new Account(
                standIn.place(),
                AwsStandInCase.KEY_ID + ":" + AwsStandInCase.KEY_SECRET,
                "prod/agents",
                "/prod/agents",
                AwsStandInCase.ROLE);
    }

    @Override
    AwsPlace place() {
        Origin origin =
                ((Parsed.Valid<Origin>) Origin.parse(standIn.aws.origin().url("aws.up.test"))).value();
        return new AwsPlace(
                "eu-central-1",
                origin,
                folder.resolve("aws.pem"),
                List.of(((Parsed.Valid<Cidr>) Cidr.parse("127.0.0.0/8")).value()));
    }

    @Override
    GuardedExchange exchange() {
        return TestGuard.exchange();
    }
}
