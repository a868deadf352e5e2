import { accessSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '#libs/config';
import { exampleAddresses, exampleNames } from '#libs/api-description';
import { servedAreas } from '../wire/wires.js';
import { Asset } from './swagger-assets.js';

/** An API document of apps/openapi/documents: name of its files, and title in the menu. */
export type ListedDocument = Readonly<Record<'name' | 'title', string>>;

/** @returns the documents of what is served, in menu order */
export function listDocuments(config: Pick<Config, 'readWrite'>): readonly ListedDocument[] {
  return [
    ...servedAreas(config).map(({ wire: { document } }) => document),
    { name: 'authorisation', title: 'Authorisation' },
    { name: 'discovery-and-registration', title: 'Discovery and registration' },
  ];
}

const formats = { json: 'application/json', yaml: 'application/yaml' } as const;

/**
 * The API documents as served: the generated files with this bank's addresses and names.
 * @returns the documents by file name, e.g. `file-payments.json`
 * @throws Error if a file is missing
 */
export function loadApiDocuments(
  listed: readonly ListedDocument[],
  config: Pick<Config, 'baseUrl' | 'authUrl' | 'tokenUrl' | 'bank'>,
): Map<string, Asset> {
  const folder = join(rootFolder(), 'apps/openapi/documents');
  const documents = new Map<string, Asset>();
  for (const { name } of listed) {
    for (const [extension, mediaType] of Object.entries(formats)) {
      const file = `${name}.${extension}`;
      const path = join(folder, file);
      accessSync(path);
      const read = (): Buffer => Buffer.from(withNamesOf(config, readFileSync(path, 'utf8')));
      documents.set(file, new Asset(mediaType, read));
    }
  }
  return documents;
}

/** @returns further documents by file name; JSON is YAML, too */
export function writeFurther(further: readonly FurtherDocument[]): readonly (readonly [string, Asset])[] {
  return further.flatMap(({ name, content }) =>
    Object.entries(formats).map(
      ([extension, mediaType]) =>
        [
          `${name}.${extension}`,
          new Asset(mediaType, () => Buffer.from(JSON.stringify(content, undefined, 2))),
        ] as const,
    ),
  );
}

function withNamesOf(config: Pick<Config, 'baseUrl' | 'authUrl' | 'tokenUrl' | 'bank'>, text: string): string {
  // Names appear within strings of JSON and YAML.
  const bankName = JSON.stringify(config.bank.name).slice(1, -1);
  const names: Readonly<Record<string, string>> = {
    [exampleAddresses.baseUrl]: config.baseUrl,
    [exampleAddresses.authUrl]: config.authUrl,
    [exampleAddresses.tokenUrl]: config.tokenUrl,
    [exampleNames.errorNamespace]: config.bank.errorNamespace,
    [exampleNames.bankName]: bankName,
  };
  // In one pass, so that inserted text is not replaced again.
  const pattern = new RegExp(
    Object.keys(names)
      .map((name) => name.replaceAll('.', '\\.'))
      .join('|'),
    'g',
  );
  return text.replace(pattern, (name) => names[name] ?? name);
}

function rootFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** An API document of another server behind the service's address, such as the bank's own for accounts. */
export interface FurtherDocument extends ListedDocument {
  /** OpenAPI 3.1, with the addresses as they are */
  readonly content: object;
}

/** Further API documents, given by the program that composes the service. */
export class FurtherDocuments {
  constructor(readonly all: readonly FurtherDocument[]) {}
}
