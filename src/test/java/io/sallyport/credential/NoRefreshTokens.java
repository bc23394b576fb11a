package io.sallyport.credential;

import io.sallyport.credential.source.RefreshTokens;
import org.jspecify.annotations.Nullable;

/** For sources that have none. */
public final class NoRefreshTokens implements RefreshTokens {

    @Override
    public Chain read(String credential, String entry) {
        throw new AssertionError("no refresh token was expected");
    }

    @Override
    public Chain claim(Chain seen) {
        throw new AssertionError("no refresh token was expected");
    }

    @Override
    public Chain answered(Chain claimed, byte @Nullable [] refresh, Access access) {
        throw new AssertionError("no refresh token was expected");
    }

    @Override
    public boolean settle(Chain claimed, State state) {
        throw new AssertionError("no refresh token was expected");
    }
}
