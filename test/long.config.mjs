import all from './jest.config.mjs';
import { longSuites } from './support/long-suites.mjs';

/** `npm run test:long`: the rest. */
export default {
  ...all,
  reporters: [['./test/proof/record-run.mjs', { ring: 'long' }], 'default'],
  testRegex: longSuites.map((name) => `/test/${name}.*${all.testRegex}`),
};
