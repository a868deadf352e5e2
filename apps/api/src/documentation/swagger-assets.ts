import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file that a documentation page loads. */
export interface Asset {
  readonly mediaType: string;
  readonly content: Buffer;
  /** the same, compressed */
  readonly gzipped: Buffer;
}

const own = import.meta.dirname;
/** the installed package of Swagger UI */
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const folders: ReadonlyMap<string, string> = new Map([
  ['docs.css', own],
  ['start.js', own],
  ['swagger-ui.css', swagger],
  ['swagger-ui-bundle.js', swagger],
  ['swagger-ui-standalone-preset.js', swagger],
]);
const read = new Map<string, Asset>();

/** @returns a file, read and compressed at its first use; undefined for a name that no page uses */
export function findAsset(name: string): Asset | undefined {
  const folder = folders.get(name);
  if (folder === undefined) return undefined;
  const known = read.get(name);
  if (known !== undefined) return known;
  const mediaType = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  const asset = toAsset(mediaType, readFileSync(join(folder, name)));
  read.set(name, asset);
  return asset;
}

/** @returns the content, plain and compressed */
export function toAsset(mediaType: string, content: Buffer): Asset {
  return { mediaType, content, gzipped: gzipSync(content) };
}
