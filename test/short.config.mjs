import all from './jest.config.mjs';
import { longSuites } from './support/long-suites.mjs';

/** `npm test`: what a change needs. */
export default {
  ...all,
  testPathIgnorePatterns: ['/node_modules/', ...longSuites.map((name) => `<rootDir>/test/${name}`)],
  reporters: ['./test/support/slow-tests.mjs', ['./test/proof/record-run.mjs', { ring: 'short' }], 'default'],
};
