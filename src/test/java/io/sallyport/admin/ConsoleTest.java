package io.sallyport.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Ledger;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The console in a real browser: what an operator sees, and ends. */
@Tag("slow")
class ConsoleTest {

    @TempDir
    static Path home;

    private static BusyBroker busy;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.open();
        busy = BusyBroker.start(home);
    }

    @AfterAll
    static void stop() {
        if (busy != null) {
            busy.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void signIn() throws IOException {
        open("/console/sign-in");
        picture("sign-in");
        find("#token").sendKeys(busy.broker().operatorToken());
        find("button").click();
        await("h1", "Running tasks");
    }

    @Test
    void an_operator_sees_a_running_task_ends_it_with_a_reason_and_finds_that_in_the_ledger() throws IOException {
        Grant grant = busy.task("task-to-end", "google/ada@acme.example", "Fix the broken footer link");
        busy.task("task-to-keep", null, "Bump the parser to 4.2");
        open("/console");
        assertThat(text("table"))
                .contains("Fix the broken footer link", "google/ada@acme.example", "2 of 500", "2.9 MiB of 20 MiB");
        picture("tasks");
        browser.driver().findElement(By.linkText("task-to-end")).click();
        await("h1", "Fix the broken footer link");
        assertThat(text("main"))
                .contains("/repos/acme/site/issues/17", "destination_not_allowed", "Never used", "pull");
        picture("task");
        assertThat(text("#binding")).isEqualTo("its token, from 10.2.3.4/32");
        find("summary").click();
        find("#reason").sendKeys("leaked in a build log");
        find("input[name=sure]").click();
        picture("task-end");
        find("button.stop").click();
        await("h1", "Ended");
        picture("receipt");
        assertThat(busy.broker().bean(Grants.class).stands(grant)).isFalse();
        assertThat(busy.broker().bean(Grants.class).ofTask("task-to-keep")).hasSize(1);
        open("/console/ledger?kind=revoked");
        assertThat(text("table")).contains("leaked in a build log", "task-to-end");
        browser.driver()
                .findElement(By.xpath("//tr[contains(., 'leaked in a build log')]//a"))
                .click();
        await("h1", "Entry");
        assertThat(text("main")).contains("operator by console from 127.0.0.1", "g-task-to-end");
        picture("entry");
    }

    @Test
    void the_ledger_is_searched_by_the_hash_of_a_file_that_stays_in_the_browser() throws IOException {
        busy.task("task-of-file", null, "Look-up");
        open("/console/ledger");
        find("#file")
                .sendKeys(Files.writeString(home.resolve("test.txt"), "test").toString());
        new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
                .until(driver ->
                        BusyBroker.CONTENT_SHA256.equals(find("#sha256").getDomProperty("value")));
        find("form.search button").click();
        await("h1", "Ledger");
        assertThat(text("table")).contains("used", "/repos/acme/site/contents/");
        picture("ledger");
    }

    @Test
    void the_rule_book_is_read_with_its_overdue_policy() throws IOException {
        open("/console/rules");
        assertThat(text("main"))
                .contains(
                        "site-fixer",
                        "GET /repos/acme/site/**",
                        "github-acme",
                        "review overdue since 2026-01-01",
                        "cluster");
        picture("rules");
        browser.driver().findElement(By.linkText("old-crawler")).click();
        await("h1", "old-crawler");
        assertThat(text("pre")).contains("sallyport: v1").contains("never: [\"DELETE /**\"");
        picture("document");
    }

    @Test
    void a_credential_is_tested_and_a_place_that_a_change_has_added_is_confirmed() throws IOException {
        busy.usedAndThenSentElsewhere("deploy", "https://files.example");
        open("/console/rules/credential/deploy");
        find("form[action$='/test'] button").click();
        await("p.hint:nth-of-type(3)", "Its source gave secret");
        assertThat(text("#places"))
                .contains("new https://files.example, as Bearer")
                .contains("so far https://api.github.com, as Bearer")
                .doesNotContain("new https://api.github.com");
        find("#places button").click();
        assertThat(text("#places")).as("without the tick nothing is sent").contains("files.example");
        find("#places input[name=sure]").click();
        picture("confirm");
        find("#places button").click();
        new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
                .until(driver -> driver.findElements(By.cssSelector("#places")).isEmpty());
        await("h1", "deploy");
        open("/console/ledger?kind=operated");
        assertThat(text("table")).contains("credential test deploy: works");
        browser.driver()
                .findElement(By.xpath("//tr[contains(., 'credential confirm deploy: https://files.example')]//a"))
                .click();
        await("h1", "Entry");
        assertThat(text("main")).contains("operator by console from 127.0.0.1");
    }

    @Test
    void what_changed_while_it_was_looked_at_is_not_confirmed() throws IOException {
        busy.usedAndThenSentElsewhere("moving", "https://files.example");
        open("/console/rules/credential/moving");
        find("#places input[name=sure]").click();
        busy.sentElsewhere("moving", "https://evil.example");
        find("#places button").click();
        await("h1", "Not confirmed");
        open("/console/rules/credential/moving");
        assertThat(text("#places")).contains("new https://evil.example");
    }

    @Test
    void what_an_agent_wrote_never_runs_in_the_operator_s_browser() throws IOException {
        busy.task("task-hostile", null, BusyBroker.HOSTILE);
        for (String page : List.of(
                "/console",
                "/console/tasks/task-hostile",
                "/console/ledger?task=task-hostile",
                "/console/revoke?task=task-hostile")) {
            open(page);
            assertThat(browser.driver().getTitle()).as(page).doesNotContain("owned");
            assertThat(browser.driver().findElements(By.cssSelector("main img")))
                    .as(page)
                    .isEmpty();
            assertThat(browser.driver().findElements(By.cssSelector("main script")))
                    .as(page)
                    .isEmpty();
        }
        open("/console/ledger?sha256=" + URLEncoder.encode(BusyBroker.HOSTILE, StandardCharsets.UTF_8));
        assertThat(browser.driver().getTitle()).doesNotContain("owned");
    }

    @Test
    void a_revocation_by_name_is_counted_first_and_its_lock_is_lifted_with_a_reason() throws IOException {
        busy.task("task-of-many", null, "Sweep");
        open("/console/revoke");
        find("#task").sendKeys("task-of-many");
        new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
                .until(driver -> text("#matches").contains("1 grant matches now."));
        find("#task").clear();
        find("#policy").sendKeys("old-crawler");
        new WebDriverWait(browser.driver(), Duration.ofSeconds(10))
                .until(driver -> text("#matches").contains("It also locks"));
        find("#reason").sendKeys("overdue");
        picture("revoke");
        find("button.stop").click();
        await("h1", "Ended");
        open("/console/locks");
        assertThat(text("main")).contains("policy = old-crawler", "overdue");
        picture("locks");
        find("summary").click();
        find("input[name=reason]").sendKeys("reviewed");
        find(".lock form button").click();
        await("h1", "Locks");
        assertThat(text("main")).contains("No lock stands.");
        assertThat(busy.broker()
                        .bean(Ledger.class)
                        .find(new Ledger.Query(null, null, null, "unlocked", null, null, -1, 10))
                        .entries())
                .hasSize(1);
    }

    private static void open(String path) {
        browser.driver().get(busy.broker().operator(path).toString());
    }

    private static WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector("main " + selector));
    }

    private static String text(String selector) {
        return browser.driver().findElement(By.cssSelector(selector)).getDomProperty("innerText");
    }

    private static void await(String selector, String text) {
        new WebDriverWait(browser.driver(), Duration.ofSeconds(20))
                .ignoring(org.openqa.selenium.StaleElementReferenceException.class)
                .until(driver ->
                        driver.findElement(By.cssSelector(selector)).getText().startsWith(text));
    }

    /** Keeps what the browser shows, where the environment names a folder for it. */
    private static void picture(String name) throws IOException {
        String folder = System.getenv("CONSOLE_PICTURES");
        if (folder != null) {
            Files.write(Path.of(folder, name + ".png"), browser.driver().getScreenshotAs(OutputType.BYTES));
        }
    }
}
