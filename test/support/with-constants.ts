import { pathToFileURL } from 'node:url';

/** Options of Node.js for a process of the service whose environment also sets constants. */
export const withConstants = ['--import', pathToFileURL('test/support/set-constants.mjs').href] as const;
