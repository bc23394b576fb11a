package io.sallyport.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One key that seals, and those that sealed before it, each of which opens its own: every sealed value says which one it needs. */
final class KeyRing implements Seal {

    private record Held(AesGcmSeal seal, String place) {}

    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private volatile Held sealing;

    /** @param place as a person is told where the key is from */
    KeyRing(AesGcmSeal sealing, String place) {
        this.sealing = new Held(sealing, place);
        held.put(sealing.keyId(), this.sealing);
    }

    /** Another that opens. */
    void add(AesGcmSeal seal, String place) {
        held.putIfAbsent(seal.keyId(), new Held(seal, place));
    }

    /** From now on this one seals; the one before goes on opening. */
    void sealWith(AesGcmSeal seal) {
        Held next = new Held(seal, sealing.place);
        held.put(seal.keyId(), next);
        sealing = next;
    }

    /** The id of the one that seals, in hexadecimal. */
    String sealing() {
        return sealing.seal.keyId();
    }

    boolean has(String id) {
        return held.containsKey(id);
    }

    /** Where the key of that id is from. */
    String place(String id) {
        Held key = held.get(id);
        return key == null ? "nowhere that is named" : key.place;
    }

    @Override
    public byte[] seal(byte[] plain, String place) {
        return sealing.seal.seal(plain, place);
    }

    @Override
    public byte[] open(byte[] sealed, String place) {
        Held now = sealing;
        if (AesGcmSeal.hasKeyId(sealed)) {
            now = held.getOrDefault(AesGcmSeal.keyId(sealed), now);
        }
        return now.seal.open(sealed, place);
    }
}
