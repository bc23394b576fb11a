package io.sallyport.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;

/** Certificates and keys as files, for programs that read them so. */
public final class PemFiles {

    private PemFiles() {}

    public static void write(TestCertificates.Issued issued, Path chain, Path key) throws IOException {
        try {
            Files.writeString(chain, pem((Object[]) issued.chain()));
            Files.writeString(key, pem(new JcaPKCS8Generator(issued.keys().getPrivate(), null)));
        } catch (OperatorCreationException impossible) {
            throw new IOException(impossible);
        }
    }

    private static String pem(Object... objects) throws IOException, OperatorCreationException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            for (Object object : objects) {
                pem.writeObject(object);
            }
        }
        return text.toString();
    }
}
