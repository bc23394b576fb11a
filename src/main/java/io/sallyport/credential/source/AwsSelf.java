package io.sallyport.credential.source;

import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Who the broker is to AWS, for the time of one fetch. The SDK holds secrets as text, which can't be zeroed: so nothing of this is kept. */
sealed interface AwsSelf {

    AwsCredentialsProvider provider();

    /** An access key, the broker's own or a session's. */
    record Key(AwsCredentials credentials) implements AwsSelf {

        /** A session's key opens sessions of an hour at most: what AWS calls role chaining. */
        boolean ofSession() {
            return credentials instanceof AwsSessionCredentials;
        }

        @Override
        public AwsCredentialsProvider provider() {
            return StaticCredentialsProvider.create(credentials);
        }

        @Override
        public String toString() {
            return "Key[***]";
        }
    }

    /** A token of an issuer that the account trusts; good for one thing, a role. */
    record WebIdentity(String token) implements AwsSelf {

        @Override
        public AwsCredentialsProvider provider() {
            return AnonymousCredentialsProvider.create();
        }

        @Override
        public String toString() {
            return "WebIdentity[***]";
        }
    }
}
