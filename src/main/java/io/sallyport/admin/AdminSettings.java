package io.sallyport.admin;

import java.nio.file.Path;

/** @param data folder that gets the operator token: {@code sallyport.data} */
public record AdminSettings(Path data) {}
