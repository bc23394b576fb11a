package io.sallyport.rules;

import io.sallyport.document.Reading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;

/**
 * The only roots that a destination's certificate may come from.
 *
 * @param id SHA-256 (hex) of the file: what was verified by other roots is another connection
 */
public record PrivateRoots(String id, List<X509Certificate> certificates) {

    private static final int LIMIT = 256 * 1024;

    public PrivateRoots {
        certificates = List.copyOf(certificates);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("at least one root is needed");
        }
    }

    /** @return unreadable with what is wrong, never with anything of the file, which may be something else altogether */
    static Reading<PrivateRoots> read(Path file) {
        if (!FolderPermissions.writableByOthers(file).isEmpty()) {
            return Reading.unreadable("can be written to by others: " + file + "; allowed: by its owner alone");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(LIMIT + 1);
            if (content.length > LIMIT) {
                return Reading.unreadable("is larger than 256 KiB: " + file);
            }
            List<X509Certificate> roots =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(content))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            return roots.isEmpty()
                    ? Reading.unreadable("holds no certificate: " + file)
                    : Reading.of(new PrivateRoots(digest(content), roots));
        } catch (IOException | GeneralSecurityException e) {
            return Reading.unreadable(
                    "can't be read: " + file + "; allowed: a PEM file of certificates, from the document's folder");
        }
    }

    private static String digest(byte[] content) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
