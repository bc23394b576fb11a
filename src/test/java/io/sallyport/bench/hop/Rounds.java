package io.sallyport.bench.hop;

import java.util.List;

/** @param seconds of each side of a round */
record Rounds(double seconds, int count) {

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
