package io.sallyport.credential.source;

import java.util.function.Supplier;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClientBuilder;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.ssm.SsmClientBuilder;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;

/**
 * A service of AWS that sources ask.
 *
 * @param prefix the first label of its public endpoints
 * @param noun as causes name it
 */
record AwsService<C extends SdkClient, B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>>(
        String prefix, String noun, Supplier<B> builder) {

    static final AwsService<StsClient, StsClientBuilder> STS = new AwsService<>("sts", "AWS STS", StsClient::builder);

    static final AwsService<SecretsManagerClient, SecretsManagerClientBuilder> SECRETS =
            new AwsService<>("secretsmanager", "AWS Secrets Manager", SecretsManagerClient::builder);

    static final AwsService<SsmClient, SsmClientBuilder> PARAMETERS =
            new AwsService<>("ssm", "AWS Systems Manager", SsmClient::builder);
}
