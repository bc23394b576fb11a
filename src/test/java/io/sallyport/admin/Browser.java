package io.sallyport.admin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Debian's Chromium, without a screen. Where it is absent a test says so and is skipped; with {@code CI=true} its absence fails. */
record Browser(ChromeDriver driver) implements AutoCloseable {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    static Browser open() {
        boolean there = Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
        if (!there && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("with CI=true the console's test needs " + CHROMIUM + " and " + DRIVER);
        }
        if (!there) {
            System.out.println("Skipped: the console's test needs " + CHROMIUM + " and " + DRIVER
                    + " (Debian: apt-get install chromium chromium-driver).");
        }
        assumeTrue(there, "no Chromium");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,900");
        String more = System.getenv("CONSOLE_BROWSER_ARGUMENT");
        if (more != null) {
            options.addArguments(more);
        }
        return new Browser(new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(new File(DRIVER.toString()))
                        .usingAnyFreePort()
                        .build(),
                options));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
