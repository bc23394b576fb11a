package io.sallyport.credential.vault;

import io.sallyport.net.TestGuard;
import io.sallyport.testing.TestCertificates;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract, of the stand-in. */
class VaultContractTest extends VaultContract {

    private static final TestCertificates CA = TestCertificates.authority();

    @TempDir
    Path folder;

    private final StandIn standIn = new StandIn(CA.issue("localhost"));

    @Override
    VaultFixture server() {
        return new VaultFixture(
                "https://localhost:" + standIn.port(),
                "root",
                CA.writeRoot(folder.resolve("root.pem")),
                CA.clientContext(),
                TestGuard.exchange(),
                standIn.clock,
                folder);
    }

    @Override
    String unique() {
        return "test";
    }

    @AfterEach
    void close() {
        standIn.close();
    }
}
