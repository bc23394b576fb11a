package io.sallyport.policy;

import com.google.re2j.Pattern;

/** How a value of {@code who} is compared: exactly, or as a pattern over the whole of it. */
sealed interface Match {

    boolean matches(String value);

    record Exactly(String text) implements Match {

        @Override
        public boolean matches(String value) {
            return text.equals(value);
        }
    }

    /** Linear in the value's length whatever the pattern: a subject is chosen by whoever names the workload. */
    record Whole(Pattern pattern) implements Match {

        @Override
        public boolean matches(String value) {
            return pattern.matches(value);
        }
    }
}
