package io.sallyport.rules;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys of a document, and on which line each stands. */
final class ParsedDocument {

    private final Map<String, Object> keys;
    private final Map<String, Integer> lines = new HashMap<>();

    private ParsedDocument(MappingNode root) throws Yaml.Refused {
        this.keys = mapping(root, "");
    }

    static ParsedDocument of(byte[] bytes) throws Yaml.Refused {
        Node root = new Yaml().read(decoded(bytes));
        if (root instanceof MappingNode mapping) {
            return new ParsedDocument(mapping);
        }
        throw new Yaml.Refused(1, "is not a mapping; allowed: a mapping that begins with sallyport: v1");
    }

    private static String decoded(byte[] bytes) throws Yaml.Refused {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new Yaml.Refused(1, "is not UTF-8");
        }
    }

    /** In the document's order; a key without a value has null. */
    Map<String, Object> keys() {
        return keys;
    }

    /** The line (from 1) of a path as problems name it, or of the nearest thing around it that is there. */
    int line(String path) {
        String rest = path;
        while (!rest.isEmpty()) {
            Integer line = lines.get(rest);
            if (line != null) {
                return line;
            }
            rest = rest.substring(0, Math.max(0, Math.max(rest.lastIndexOf('.'), rest.lastIndexOf('['))));
        }
        return 1;
    }

    private Map<String, Object> mapping(MappingNode node, String path) throws Yaml.Refused {
        Map<String, Object> values = new LinkedHashMap<>();
        for (NodeTuple tuple : node.getValue()) {
            int line = Yaml.line(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new Yaml.Refused(line, "has a key that is a list or a mapping; allowed: text");
            }
            String name = key.getValue();
            String below = path.isEmpty() ? name : path + "." + name;
            if (values.containsKey(name)) {
                throw new Yaml.Refused(line, below + ": stands here a second time; allowed: each key once");
            }
            lines.put(below, line);
            values.put(name, value(tuple.getValueNode(), below));
        }
        return values;
    }

    private @Nullable Object value(Node node, String path) throws Yaml.Refused {
        if (!Yaml.TAGS.contains(node.getTag().getValue())) {
            throw new Yaml.Refused(
                    Yaml.line(node.getStartMark()), path + ": has a tag of its own; allowed: plain values");
        }
        return switch (node) {
            case MappingNode mapping -> mapping(mapping, path);
            case SequenceNode sequence -> list(sequence, path);
            case ScalarNode scalar -> scalar(scalar, path);
            default -> throw new Yaml.Refused(Yaml.line(node.getStartMark()), path + ": is no plain value");
        };
    }

    private List<Object> list(SequenceNode node, String path) throws Yaml.Refused {
        List<Object> items = new ArrayList<>();
        for (Node item : node.getValue()) {
            String below = path + "[" + items.size() + "]";
            lines.put(below, Yaml.line(item.getStartMark()));
            items.add(value(item, below));
        }
        return items;
    }

    private static @Nullable Object scalar(ScalarNode node, String path) throws Yaml.Refused {
        String text = node.getValue();
        Tag tag = node.getTag();
        try {
            if (tag.equals(Tag.INT)) {
                BigInteger number = new BigInteger(text);
                return number.bitLength() < Long.SIZE ? (Object) number.longValueExact() : number;
            }
            if (tag.equals(Tag.FLOAT)) {
                return new BigDecimal(text);
            }
        } catch (NumberFormatException notOne) {
            throw new Yaml.Refused(Yaml.line(node.getStartMark()), path + ": is not a number that can be read");
        }
        if (tag.equals(Tag.BOOL)) {
            return Boolean.valueOf(text);
        }
        return tag.equals(Tag.NULL) ? null : text;
    }
}
