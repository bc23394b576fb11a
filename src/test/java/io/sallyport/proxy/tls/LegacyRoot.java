package io.sallyport.proxy.tls;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A root with path length 0. */
final class LegacyRoot {

    private LegacyRoot() {}

    static X509Certificate certificate(KeyPair keys, Certificates.Validity validity) throws Exception {
        X500Principal name = new X500Principal("CN=Narrow root");
        var draft = new JcaX509v3CertificateBuilder(
                        name,
                        BigInteger.TEN,
                        Date.from(validity.from()),
                        Date.from(validity.until()),
                        name,
                        keys.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
                .addExtension(
                        Extension.subjectKeyIdentifier,
                        false,
                        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
        return Certificates.read(draft.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                .getEncoded());
    }
}
