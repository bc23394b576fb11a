package io.sallyport.admin.api;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import java.util.Map;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What all calls have in common in {@code /api/v1/openapi.json}: the token, and the shape of a problem. */
@Configuration(proxyBeanMethods = false)
class OpenApiDocument {

    private static final String TOKEN = "operatorToken";
    private static final String PROBLEM = "Problem";

    @Bean
    GlobalOpenApiCustomizer operatorApiDocument() {
        return document -> {
            document.setInfo(
                    new Info()
                            .title("Sallyport operator API")
                            .version("v1")
                            .description(
                                    "Unknown query parameters and body members are errors. Times are RFC 3339 in UTC, sizes are bytes."));
            document.setServers(List.of(new Server().url("/")));
            Components parts = document.getComponents();
            parts.addSecuritySchemes(
                    TOKEN,
                    new SecurityScheme()
                            .type(SecurityScheme.Type.HTTP)
                            .scheme("bearer")
                            .description("The operator token: in the file operator-token of the data folder."));
            parts.addSchemas(PROBLEM, problem());
            document.addSecurityItem(new SecurityRequirement().addList(TOKEN));
            document.getPaths()
                    .values()
                    .forEach(path -> path.readOperations().forEach(operation -> problems(operation.getResponses())));
        };
    }

    private static void problems(ApiResponses responses) {
        problem(responses, "400", "A parameter or the body is malformed or not known");
        problem(responses, "401", "The operator token is missing or not the one in force");
        problem(responses, "503", "The store does not answer; nothing was changed");
        for (String other : List.of("404", "409", "422")) {
            if (responses.containsKey(other)) {
                problem(responses, other, responses.get(other).getDescription());
            }
        }
    }

    private static void problem(ApiResponses responses, String status, String description) {
        responses.addApiResponse(
                status,
                new ApiResponse()
                        .description(description)
                        .content(new Content()
                                .addMediaType(
                                        "application/problem+json",
                                        new MediaType()
                                                .schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM)))));
    }

    private static Schema<?> problem() {
        return new ObjectSchema()
                .description("RFC 9457")
                .properties(Map.of(
                        "type", new StringSchema(),
                        "title", new StringSchema(),
                        "status", new Schema<Integer>().type("integer"),
                        "detail", new StringSchema().description("what is wrong"),
                        "instance", new StringSchema(),
                        "where", new StringSchema().description("the parameter or body member"),
                        "allowed", new StringSchema().description("what would have been right"),
                        "problems", new ArraySchema().items(new StringSchema())));
    }
}
