package io.sallyport.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The plain part of YAML 1.2 (its JSON schema): one document of mappings, lists and scalars. No anchors, aliases or merges: a reviewer must
 * see at a place what stands there.
 */
final class Yaml {

    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int DEEPEST = 20;

    private final LoadSettings settings =
            LoadSettings.builder().setCodePointLimit(MOST_CHARACTERS).build();

    /** Not well-formed, or not plain. */
    static final class Refused extends Exception {

        private static final long serialVersionUID = 1L;

        private final int line;

        Refused(int line, String what) {
            super(what);
            this.line = line;
        }

        /** From 1. */
        int line() {
            return line;
        }
    }

    /** The root node of the one document. */
    Node read(String text) throws Refused {
        if (text.length() > MOST_CHARACTERS) {
            throw new Refused(1, "is longer than " + MOST_CHARACTERS + " characters");
        }
        try {
            requirePlain(text);
            return new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> new Refused(1, "is empty; allowed: a mapping that begins with sallyport: v1"));
        } catch (MarkedYamlEngineException malformed) {
            // Not its message: that quotes the document, and somebody may have pasted a secret there.
            throw new Refused(line(malformed.getProblemMark()), "is not YAML: " + malformed.getProblem());
        } catch (YamlEngineException malformed) {
            throw new Refused(1, "is not YAML that can be read");
        }
    }

    /** On events, before anything is built: a document that is nested deeply enough would exhaust the stack of whoever builds it. */
    private void requirePlain(String text) throws Refused {
        Deque<Event> open = new ArrayDeque<>();
        int documents = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            if (event instanceof AliasEvent
                    || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
                throw new Refused(
                        line(event.getStartMark()), "has an anchor or alias; allowed: plain values, written out");
            }
            if (event instanceof DocumentStartEvent && ++documents > 1) {
                throw new Refused(line(event.getStartMark()), "begins a second document; allowed: one document a file");
            }
            if (event instanceof CollectionStartEvent) {
                open.push(event);
            } else if (event instanceof CollectionEndEvent) {
                open.pop();
            }
            if (open.size() > DEEPEST) {
                throw new Refused(line(event.getStartMark()), "is nested more than " + DEEPEST + " deep");
            }
        }
    }

    /** From 1. */
    static int line(Optional<Mark> mark) {
        return mark.map(it -> it.getLine() + 1).orElse(1);
    }

    static final Set<String> TAGS = Set.of(
            "tag:yaml.org,2002:map",
            "tag:yaml.org,2002:seq",
            "tag:yaml.org,2002:str",
            "tag:yaml.org,2002:int",
            "tag:yaml.org,2002:float",
            "tag:yaml.org,2002:bool",
            "tag:yaml.org,2002:null");
}
