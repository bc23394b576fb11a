package io.sallyport.cli;

import java.util.List;
import picocli.CommandLine.Command;

/** {@code sallyport ledger …}: finds what left, and verifies the record without trusting the broker. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "The record of what was decided and what left.")
final class LedgerCommand {

    static final List<String> NONE = List.of();
}
