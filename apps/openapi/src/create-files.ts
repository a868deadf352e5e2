import { dump } from 'js-yaml';
import { createCollection } from './create-collection.js';
import { createDocuments } from './create-documents.js';

/** @returns the text of every generated file by its path below the repository's root */
export async function createFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const documents = await createDocuments();
  for (const [name, document] of documents) {
    // Through JSON, so that both files have the same content.
    const plain: unknown = JSON.parse(JSON.stringify(document));
    files.set(`apps/openapi/documents/${name}.json`, `${JSON.stringify(plain, undefined, 2)}\n`);
    files.set(`apps/openapi/documents/${name}.yaml`, dump(plain, { lineWidth: 120, noRefs: true }));
  }
  for (const [path, text] of createCollection(documents.values())) files.set(`apps/openapi/bruno/${path}`, text);
  return files;
}
