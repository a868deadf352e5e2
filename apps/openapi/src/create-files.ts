import { dump } from 'js-yaml';
import { collections } from './collections.js';
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
  for (const collection of collections) {
    for (const [path, text] of createCollection(documents.values(), collection)) {
      files.set(`${collection.folder}/${path}`, text);
    }
  }
  return files;
}
