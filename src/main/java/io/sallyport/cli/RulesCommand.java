package io.sallyport.cli;

import picocli.CommandLine.Command;

/** {@code sallyport rules …}. */
@Command(name = "rules", mixinStandardHelpOptions = true, description = "The documents.")
final class RulesCommand {}
