import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file that a documentation page loads, read and compressed at its first use. */
export class Asset {
  #content: Buffer | undefined;
  #gzipped: Buffer | undefined;

  constructor(
    readonly mediaType: string,
    private readonly read: () => Buffer,
  ) {}

  get content(): Buffer {
    return (this.#content ??= this.read());
  }

  get gzipped(): Buffer {
    return (this.#gzipped ??= gzipSync(this.content));
  }
}

const own = import.meta.dirname;
/** the installed package of Swagger UI */
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const assets = new Map<string, Asset>(
  [
    ['docs.css', own],
    ['start.js', own],
    ['swagger-ui.css', swagger],
    ['swagger-ui-bundle.js', swagger],
    ['swagger-ui-standalone-preset.js', swagger],
  ].map(([name = '', folder = '']) => {
    const mediaType = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    return [name, new Asset(mediaType, () => readFileSync(join(folder, name)))];
  }),
);

/** @returns a file; undefined for a name that no page uses */
export function findAsset(name: string): Asset | undefined {
  return assets.get(name);
}
