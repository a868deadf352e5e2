import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type AppDescription, exampleAddresses, exampleNames } from '#libs/api-description';
import { type Area, createAreas } from './areas.js';
import { standInsFor } from './stand-ins.js';

@Module({})
class DescribedModule {}

const securitySchemes = {
  mutualTls: {
    type: 'mutualTLS',
    description: 'A valid client certificate of the TPP, issued by an authority that the bank accepts and not revoked.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Access token in the Authorization header (RFC 6750), used with the certificate with which it was obtained.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret (client_secret_basic).',
  },
} as const;

/** @returns the API documents by name: OpenAPI 3.1, with the addresses of the sandbox */
export async function createDocuments(areas = createAreas()): Promise<Map<string, OpenAPIObject>> {
  const documents = new Map<string, OpenAPIObject>();
  for (const area of areas) documents.set(area.name, await createDocument(area));
  return documents;
}

async function createDocument(area: Area): Promise<OpenAPIObject> {
  const parts = [];
  for (const app of area.apps) parts.push(await describeApp(area, app));
  const [first, ...others] = parts;
  if (first === undefined) throw new TypeError(`The area ${area.name} has no operations.`);
  return complete(others.reduce(merge, first), area);
}

/** The tags that its operations have, and the schemes of security that they use. */
function complete(document: OpenAPIObject, area: Area): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap(
    (item) => Object.values(item) as { tags?: string[]; security?: object[] }[],
  );
  const used = new Set(operations.flatMap(({ security = [] }) => security.flatMap((scheme) => Object.keys(scheme))));
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  return {
    ...document,
    tags: [...names].map((name) => ({ name, description: describeTag(area, name) })),
    components: {
      ...document.components,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
    },
  } as OpenAPIObject;
}

/** @throws TypeError when nobody has said what the operations of a tag are for */
function describeTag({ tags }: Area, name: string): string {
  const description = tags[name];
  if (description === undefined) throw new TypeError(`The tag ${name} has no description.`);
  return description;
}

/** Nothing of the application is created but its routes: no database, no configuration. */
async function describeApp(area: Area, { server, controllers }: AppDescription): Promise<OpenAPIObject> {
  const module = { module: DescribedModule, controllers: [...controllers], providers: standInsFor(controllers) };
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`${area.title} – ${exampleNames.bankName}`)
    .setDescription(area.description)
    .setVersion(area.version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(exampleAddresses[server])
    .build();
  const document = SwaggerModule.createDocument(app, base, { autoTagControllers: false });
  return { ...document, paths: withServer(document, exampleAddresses[server]) };
}

/** Every path says where it is: one area may have two addresses. */
function withServer({ paths }: OpenAPIObject, url: string): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers: [{ url }], ...item }]));
}

function merge(one: OpenAPIObject, other: OpenAPIObject): OpenAPIObject {
  return {
    ...one,
    servers: [...(one.servers ?? []), ...(other.servers ?? [])],
    paths: { ...one.paths, ...other.paths },
    components: {
      ...one.components,
      schemas: { ...one.components?.schemas, ...other.components?.schemas },
    },
  };
}
