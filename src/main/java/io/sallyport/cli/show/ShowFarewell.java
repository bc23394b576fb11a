package io.sallyport.cli.show;

import java.io.PrintWriter;
import java.nio.file.Path;

/** What to try next on the broker that stays up: one's own curl and git, and a policy for a real API. */
final class ShowFarewell {

    private final PrintWriter out;
    private final ShowDoors doors;
    private final ShowOrigin origin;
    private final Path home;

    ShowFarewell(PrintWriter out, ShowDoors doors, ShowOrigin origin, Path home) {
        this.out = out;
        this.doors = doors;
        this.origin = origin;
        this.home = home;
    }

    void print() {
        out.println("""

                The broker stays up until Ctrl-C. In another terminal, from the same folder:

                  # your own curl, through the hop; the task token is all that it holds
                  eval "$(src/main/sh/sallyport env --agent %1$s --hop %2$s --token-file %3$s/workload.jwt -s show:read -s show:write)"
                  curl %4$s/v1/echo
                  curl --data-binary @README.md %4$s/v1/notes
                  src/main/sh/sallyport ledger find README.md --operator %5$s --operator-token-file %3$s/data/operator-token

                  # the console, with the token in %3$s/data/operator-token
                  %5$s/console

                A real API, to start from: GitHub. Copy config/examples/github/ over %3$s/rules/, put a token into
                %3$s/secrets/github and make it yours alone, then have the broker read it:

                  install -m 600 /dev/stdin %3$s/secrets/github <<< "$YOUR_GITHUB_TOKEN"
                  cp -r config/examples/github/. %3$s/rules/
                  src/main/sh/sallyport rules reload --operator %5$s --operator-token-file %3$s/data/operator-token
                  eval "$(src/main/sh/sallyport env --agent %1$s --hop %2$s --token-file %3$s/workload.jwt -s github-reader:api -s github-reader:refs -s github-reader:clone)"
                  curl https://api.github.com/user
                  git clone https://github.com/OWNER/REPOSITORY
                """.formatted(doors.agentUrl(), doors.hopUrl(), home, origin.url(), doors.operatorAddress()));
        out.flush();
    }
}
