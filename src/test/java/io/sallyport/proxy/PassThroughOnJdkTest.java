package io.sallyport.proxy;

import io.sallyport.testing.TestHop;

/** The same tunnels where no native sockets load. */
class PassThroughOnJdkTest extends PassThroughTest {

    @Override
    protected TestHop startHop() {
        return TestHop.start(ProxySettings::withJdkTransport, POLICY);
    }
}
