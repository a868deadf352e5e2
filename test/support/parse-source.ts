import { importOnce } from './import-once.js';

export const { parseSource } = await importOnce<typeof import('./parsed-sources.js')>('./parsed-sources.ts');
