import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '#libs/config';

/** Serves the generated description of the API at /docs, with assets from this server alone. */
export function addDocumentation(app: INestApplication, config: Config): void {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('UK Open Banking: file payments, discovery and registration')
    .setDescription(
      `File payments API v3.1, client registration v3.2 and discovery v3.0 of ${config.bank.name}. ` +
        'Payments and registration need mutual TLS.',
    )
    .setVersion('3.1')
    .addServer(config.baseUrl)
    .addBearerAuth()
    .build();
  // OpenAPI 3.1 has the type mutualTLS; the builder's own types are still those of 3.0.
  const securitySchemes = { ...description.components?.securitySchemes, mutualTls: { type: 'mutualTLS' } };
  Object.assign(description, { components: { ...description.components, securitySchemes } });
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
  });
}
