package io.sallyport.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A case about how HTTP/1 is written, asked of each {@link Door} that speaks it. */
@ParameterizedTest
@EnumSource(value = Door.class, names = "H2.*", mode = EnumSource.Mode.MATCH_NONE)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryHttp1Door {}
