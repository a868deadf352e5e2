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

/** Files of Swagger UI that its page needs, from the installed package. */
const swaggerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
};

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const read = new Map<string, Asset>();

/** @returns a file of Swagger UI, read and compressed at its first use; undefined for any other name */
export function findSwaggerAsset(name: string): Asset | undefined {
  const mediaType = Object.hasOwn(swaggerFiles, name) ? swaggerFiles[name] : undefined;
  if (mediaType === undefined) return undefined;
  const known = read.get(name);
  if (known !== undefined) return known;
  const asset = toAsset(mediaType, readFileSync(join(folder, name)));
  read.set(name, asset);
  return asset;
}

/** @returns the content, plain and compressed */
export function toAsset(mediaType: string, content: Buffer): Asset {
  return { mediaType, content, gzipped: gzipSync(content) };
}
