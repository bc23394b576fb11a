package io.sallyport;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names under {@code sallyport.} that mean something, and the search for those that do not: a misspelt setting that is silently
 * ignored leaves a door as it was before the operator closed it.
 */
final class SettingNames {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("sallyport");

    /** Name to type, as in {@code sallyport.proxy.port}. */
    private final Map<String, Class<?>> known = new TreeMap<>();

    SettingNames() {
        collect("sallyport", Settings.class);
    }

    List<String> all() {
        return List.copyOf(known.keySet());
    }

    /** Every unknown name in files, arguments and system properties; and environment variables that begin like a setting's group. */
    List<String> unknown(ConfigurableEnvironment environment) {
        List<String> unknown = new ArrayList<>();
        environment.getPropertySources().forEach(source -> {
            if (source instanceof SystemEnvironmentPropertySource variables) {
                unknown.addAll(unknownVariables(List.of(variables.getPropertyNames())));
            }
        });
        for (var source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream()
                        .filter(PREFIX::isAncestorOf)
                        .filter(name -> !isKnown(name))
                        .map(ConfigurationPropertyName::toString)
                        .forEach(unknown::add);
            }
        }
        return unknown;
    }

    /**
     * Variables that other programs keep under our name ({@code SALLYPORT_SECRET_…} of sources, whatever a launcher sets) are not
     * settings; one that begins like a group of settings ({@code SALLYPORT_PROXY_…}) can only be a misspelt one.
     */
    List<String> unknownVariables(List<String> variables) {
        return variables.stream()
                .filter(name -> groups().stream().anyMatch(group -> name.startsWith(variable(group, "_") + "_")))
                .filter(name -> known.keySet().stream().noneMatch(key -> namesVariable(key, name)))
                .sorted()
                .toList();
    }

    private List<String> groups() {
        return known.keySet().stream()
                .filter(name -> name.indexOf('.', "sallyport.".length()) > 0)
                .map(name -> name.substring(0, name.lastIndexOf('.')))
                .distinct()
                .toList();
    }

    private static boolean namesVariable(String key, String variable) {
        String bare = variable.replaceFirst("(_\\d+)?_?$", "");
        return bare.equals(variable(key, "")) || bare.equals(variable(key, "_"));
    }

    private static String variable(String key, String dash) {
        return key.replace('.', '_').replace("-", dash).toUpperCase(Locale.ROOT);
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        for (ConfigurationPropertyName n = name; n.getNumberOfElements() > 1; n = n.getParent()) {
            Class<?> type = typeOf(n);
            if (type != null) {
                return n.equals(name) || mayHoldMore(type, n, name);
            }
        }
        return false;
    }

    private @org.jspecify.annotations.Nullable Class<?> typeOf(ConfigurationPropertyName name) {
        return known.entrySet().stream()
                .filter(entry -> ConfigurationPropertyName.of(entry.getKey()).equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static boolean mayHoldMore(Class<?> type, ConfigurationPropertyName key, ConfigurationPropertyName name) {
        int deeper = key.getNumberOfElements();
        return Map.class.isAssignableFrom(type) || (List.class.isAssignableFrom(type) && name.isNumericIndex(deeper));
    }

    private void collect(String prefix, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + kebab(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType());
            } else {
                known.put(name, component.getType());
            }
        }
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
