package io.sallyport.testing;

/** Cases that are asked of every {@link Door}: they share one hop that runs {@link Door#POLICY}. */
public abstract class DoorCase extends HopCase {

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, Door.POLICY);
    }
}
