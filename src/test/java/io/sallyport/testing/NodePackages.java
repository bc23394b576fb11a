package io.sallyport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The packages of {@code src/test/npm}, installed once for all tests as its lock file says. A script that imports them has to lie below
 * {@link #folder}, where Node looks for them.
 */
public final class NodePackages {

    private static final Path LIST = Path.of("src/test/npm");
    private static final Path HOME = Path.of("target/npm").toAbsolutePath();

    private NodePackages() {}

    /** Installs what is not installed yet. Tests in other processes wait for it meanwhile. */
    public static synchronized Path folder() {
        Tools.require("node", "npm");
        try {
            Files.createDirectories(HOME);
            try (FileChannel file = FileChannel.open(
                            HOME.resolve("installing"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock alone = file.lock()) {
                if (!installed()) {
                    install();
                }
            }
            return HOME;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean installed() throws IOException {
        Path before = HOME.resolve("installed.json");
        return Files.exists(before) && Files.mismatch(before, LIST.resolve("package-lock.json")) == -1;
    }

    private static void install() throws IOException {
        for (String file : List.of("package.json", "package-lock.json", ".npmrc")) {
            Files.copy(LIST.resolve(file), HOME.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        // No package's own script runs here: none of them needs one.
        Tools.Ran ran = Tools.run(
                HOME, Map.of(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
        if (ran.exit() != 0) {
            throw new IllegalStateException("the packages could not be installed: " + ran.err());
        }
        Files.copy(
                LIST.resolve("package-lock.json"), HOME.resolve("installed.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** A module of {@code src/test/npm}, put where it finds the packages. */
    public static Path module(String name) {
        try {
            return Files.copy(LIST.resolve(name), folder().resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a module of {@code src/test/npm} to its end. */
    public static Tools.Ran run(String name, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("node", module(name).toString()));
        command.addAll(Arrays.asList(arguments));
        return Tools.run(HOME, environment, command.toArray(String[]::new));
    }
}
