package io.sallyport.cli.show;

import java.io.PrintWriter;
import java.nio.file.Path;

/** What to try next on the broker that stays up: one's own curl and git, and a policy for a real API. */
final class ShowFarewell {

    private static final String SALLYPORT = "src/main/sh/sallyport";

    private final PrintWriter out;
    private final ShowDoors doors;
    private final String origin;
    private final Path home;

    ShowFarewell(PrintWriter out, ShowDoors doors, String origin, Path home) {
        this.out = out;
        this.doors = doors;
        this.origin = origin;
        this.home = home;
    }

    /** A line break is escaped wherever a line would be longer than most terminals are wide: the lines are there to be pasted. */
    void print() {
        out.println("""

                The broker stays up until Ctrl-C. Open another terminal in the same folder.

                Your own curl, through the hop. The shell holds a task token and no key:

                  eval "$(%1$s env %2$s -s show:read -s show:write)"
                  curl %3$s/v1/echo
                  curl --data-binary @README.md %3$s/v1/notes
                  curl -X DELETE %3$s/v1/notes

                Did this file leave? The ledger knows it by its hash:

                  %1$s ledger find README.md %4$s

                The console is at %5$s/console; sign in with what this prints:

                  cat %6$s/data/operator-token

                A real API, to start from: GitHub. These put the example's policy and your token into the show's folders:

                  cp -r config/examples/github/. %6$s/rules/
                  (umask 077; printf %%s "$YOUR_GITHUB_TOKEN" > %6$s/secrets/github)
                  %1$s rules reload %4$s
                  eval "$(%1$s env %2$s \\
                    -s github-reader:api -s github-reader:refs -s github-reader:clone)"
                  curl https://api.github.com/user
                  git clone https://github.com/OWNER/REPOSITORY
                """.formatted(
                        SALLYPORT,
                        doors.agentOptions() + "--token-file " + place("workload.jwt"),
                        origin,
                        doors.operatorOptions() + "--operator-token-file " + place("data/operator-token"),
                        doors.operatorAddress(),
                        place("")));
        out.flush();
    }

    /** From the working folder where that is shorter, and quoted where a shell would split it. */
    private String place(String file) {
        Path here = Path.of("").toAbsolutePath();
        Path whole = home.resolve(file);
        String text = (whole.startsWith(here) && !whole.equals(here) ? here.relativize(whole) : whole).toString();
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
