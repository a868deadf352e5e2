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

/** Adds the tags of its operations, and the security schemes that they use. */
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
      schemas: withoutMixedTypes(closed(document.components?.schemas ?? {}, area)),
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
    },
  } as OpenAPIObject;
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Answers that return the file as it was sent, with all its members. */
const returnedFiles = ['ReadFileResponse', 'OBFileContentResponse'];

/** @returns the names, and those of all schemas that they refer to */
function reachedFrom(names: readonly string[], schemas: Schemas): ReadonlySet<string> {
  const reached = new Set(names.filter((name) => name in schemas));
  for (const name of reached) {
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
      reached.add(other);
  }
  return reached;
}

/**
 * Says whether a schema allows other members. A member with a second name is described once, because generated code has
 * one name for both; unless other members are allowed, the Go clients of OpenAPI Generator refuse the second name.
 */
function closed(schemas: Schemas, { closedSchemas }: Area): Schemas {
  const returned = reachedFrom(returnedFiles, schemas);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (closedSchemas?.has(name)) return [name, { ...schema, additionalProperties: false }];
      const isTwiceNamed = 'properties' in schema && JSON.stringify(schema.properties).includes('"x-also-as"');
      return [name, isTwiceNamed || returned.has(name) ? { ...schema, additionalProperties: true } : schema];
    }),
  );
}

/**
 * A member that is an object or an array has only a description and no type: from a type, OpenAPI Generator creates
 * Java that does not compile or reads only one of the two.
 */
function withoutMixedTypes(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if ('$ref' in schema || schema.properties === undefined) return [name, schema];
      const properties = Object.entries(schema.properties).map(([member, property]) => {
        if ('$ref' in property || !isObjectOrArray(property.oneOf ?? [])) return [member, property];
        const { oneOf: _types, ...described } = property;
        return [member, described];
      });
      return [name, { ...schema, properties: Object.fromEntries(properties) }];
    }),
  );
}

function isObjectOrArray(types: readonly object[]): boolean {
  const names = types.map((each) => String(Reflect.get(each, 'type')));
  return names.length === 2 && names.includes('object') && names.includes('array');
}

/** @throws TypeError if a tag of the operations has no description */
function describeTag({ tags }: Area, name: string): string {
  const description = tags[name];
  if (description === undefined) throw new TypeError(`The tag ${name} has no description.`);
  return description;
}

/** Creates only the routes of the application: no database, no configuration. */
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

/** Every path has its server, because one area may have two addresses. */
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
