package io.sallyport.credential.vault;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.jopenlibs.vault.api.Auth;
import io.github.jopenlibs.vault.api.Logical;
import io.github.jopenlibs.vault.rest.Rest;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

/** The driver has verbs that dial through the client that it is handed, and verbs that dial by themselves, past the guard. */
class VaultDriverTest {

    @Test
    void the_verbs_that_are_used_make_no_client_of_their_own() {
        JavaClasses used = new ClassFileImporter().importClasses(Auth.class, Logical.class);

        noClasses()
                .should()
                .callConstructor(Rest.class)
                .orShould()
                .callMethod(HttpClient.class, "newHttpClient")
                .orShould()
                .callMethod(HttpClient.class, "newBuilder")
                .check(used);
    }

    @Test
    void the_verbs_that_do_are_not_used() {
        JavaClasses broker = new ClassFileImporter().importPackages("io.sallyport");

        noClasses()
                .that()
                .resideOutsideOfPackage("io.sallyport.credential.vault..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.jopenlibs..")
                .check(broker);
        noClasses()
                .that()
                .doNotHaveSimpleName("VaultDriverTest")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.github.jopenlibs.vault.api.sys..",
                        "io.github.jopenlibs.vault.api.pki..",
                        "io.github.jopenlibs.vault.api.database..")
                .check(broker);
    }
}
