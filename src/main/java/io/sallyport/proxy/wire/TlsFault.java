package io.sallyport.proxy.wire;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** In what a destination's handshake failed, as far as somebody can do something about it. The two TLS libraries tell it each in its own way. */
enum TlsFault {
    EXPIRED("its certificate has expired"),
    NOT_YET_VALID("its certificate is not valid yet"),
    OTHER_NAME("its certificate is for another name"),
    NOT_TRUSTED("its certificate is not trusted (an operator can name its roots in the scope's `trust:`)"),
    NO_TLS("it does not speak TLS at this port"),
    NO_COMMON_VERSION("no version of TLS is common to it and the broker"),
    BROKEN_OFF("the destination broke the handshake off"),
    UNKNOWN("the handshake broke off");

    /** The alert as the JDK and BoringSSL write it, and what each says of a server that picks a version of its own. */
    private static final Pattern VERSION =
            Pattern.compile("protocol[_ ]version|unsupported_protocol|wrong_version|no appropriate protocol");

    /** As the JDK's check of names begins, which both libraries use: "No name matching", "No subject alternative". */
    private static final Pattern NAME = Pattern.compile("No (name matching|subject alternative) .*");

    private static final int LONGEST = 200;
    private static final int DEEPEST = 20;

    private final String text;

    TlsFault(String text) {
        this.text = text;
    }

    /** For the agent, of the destination. */
    String text() {
        return text;
    }

    static TlsFault of(Throwable fault) {
        TlsFault found = UNKNOWN;
        Throwable cause = fault;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            // The innermost knows best: an expired certificate, say, is told as a chain that is not valid.
            TlsFault here = ofOne(cause);
            found = here == UNKNOWN ? found : here;
            cause = cause.getCause();
        }
        return found;
    }

    private static TlsFault ofOne(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return switch (cause) {
            case CertificateExpiredException ignored -> EXPIRED;
            case CertificateNotYetValidException ignored -> NOT_YET_VALID;
            case CertificateException named when NAME.matcher(message).matches() -> OTHER_NAME;
            case CertificateException ignored -> NOT_TRUSTED;
            case CertPathBuilderException ignored -> NOT_TRUSTED;
            case CertPathValidatorException ignored -> NOT_TRUSTED;
            case NotSslRecordException ignored -> NO_TLS;
            default -> said(message.toLowerCase(Locale.ROOT));
        };
    }

    private static TlsFault said(String message) {
        if (VERSION.matcher(message).find()) {
            return NO_COMMON_VERSION;
        }
        return message.contains("alert") ? BROKEN_OFF : UNKNOWN;
    }

    /**
     * The innermost cause's own words, for the ledger: the outer ones only say that there is one ("General OpenSslEngine problem"). Short
     * and in printable ASCII, since a destination may have had a part in them; nothing was sent that they could give back.
     */
    static String words(Throwable fault) {
        Throwable cause = fault;
        boolean tls = fault instanceof SSLException;
        for (int depth = 0; cause.getCause() != null && depth < DEEPEST; depth++) {
            cause = cause.getCause();
            tls |= cause instanceof SSLException;
        }
        if (cause instanceof NotSslRecordException) {
            // Its message is all that the destination said, in hex.
            return "not a record of TLS";
        }
        // A socket's faults are told best from outside: there the address stands.
        String words = String.valueOf((tls ? cause : fault).getMessage()).replaceAll("[^ -~]+", " ");
        return words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
    }
}
