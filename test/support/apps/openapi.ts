/** The generator of the API documents. */
export { createAreas } from '../../../apps/openapi/src/areas.js';
export { createCollection } from '../../../apps/openapi/src/create-collection.js';
export { createDocuments } from '../../../apps/openapi/src/create-documents.js';
export { writeEnvironment } from '../../../apps/openapi/src/write-environment.js';
export { writeFiles } from '../../../apps/openapi/src/write-files.js';
