package io.sallyport;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.stereotype.Component;
import org.springframework.util.AntPathMatcher;

/** The house's rules: which room may know which, and what each may touch. */
class HouseTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sallyport");

    @Test
    void each_room_imports_only_the_rooms_that_its_front_door_names() {
        ApplicationModules.of(Sallyport.class).verify();
    }

    /** One that the start's scan does not look at would be missing without a word; a door's guard, for instance. */
    @Test
    void every_component_has_a_name_by_which_the_start_finds_it() {
        classes()
                .that()
                .areMetaAnnotatedWith(Component.class)
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("Sallyport")
                .should(beFoundAtTheStart())
                .check(MAIN);
    }

    private static ArchCondition<JavaClass> beFoundAtTheStart() {
        AntPathMatcher names = new AntPathMatcher();
        return new ArchCondition<>("match " + Sallyport.COMPONENTS) {
            @Override
            public void check(JavaClass component, ConditionEvents events) {
                String path =
                        component.getName().substring("io.sallyport.".length()).replace('.', '/') + ".class";
                events.add(new SimpleConditionEvent(
                        component, names.match(Sallyport.COMPONENTS, path), path + " is a component"));
            }
        };
    }

    /** Modulith holds it too; said here by itself, because a secret's type is the one that must not be named elsewhere. */
    @Test
    void secrets_and_their_sources_are_known_to_the_room_of_credentials_alone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sallyport.credential..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sallyport.credential.source..")
                .check(MAIN);
    }

    @Test
    void netty_is_known_to_the_wire_alone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sallyport.proxy.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..")
                .check(MAIN);
    }

    @Test
    void what_decides_knows_no_framework() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sallyport.document..",
                        "io.sallyport.http..",
                        "io.sallyport.policy..",
                        "io.sallyport.proxy.flow..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.web..",
                        "org.springframework.context..",
                        "org.springframework.boot..",
                        "io.netty..",
                        "com.nimbusds..",
                        "tools.jackson..")
                .allowEmptyShould(true)
                .check(MAIN);
    }

    @Test
    void yaml_is_known_to_the_rules_alone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sallyport.rules..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson.dataformat.yaml..", "org.snakeyaml..")
                .check(MAIN);
    }

    @Test
    void time_comes_from_the_clock_alone() {
        noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(MAIN);
    }

    @Test
    void only_the_root_makes_the_clock() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sallyport")
                .should()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Clock.class, "systemDefaultZone")
                .check(MAIN);
    }

    @Test
    void names_say_what_a_thing_is() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Info")
                .check(MAIN);
        classes()
                .that()
                .haveSimpleNameEndingWith("Handler")
                .should()
                .resideInAnyPackage("io.sallyport.proxy.wire..")
                .allowEmptyShould(true)
                .check(MAIN);
    }
}
