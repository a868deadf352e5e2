import { swcOptions } from './support/swc.mjs';

// Tests run as native ES modules, the same module kind as production, so that import cycles and top-level await fail
// here too.
const swc = (syntax, type) => ['@swc/jest', swcOptions(syntax, type)];

// Packages that are ES modules only and that CommonJS packages require(): Jest on Node 20 cannot do that by itself.
const requiredEsm = ['cookie', 'content-disposition'];

export default {
  rootDir: '..',
  testEnvironment: './test/support/environment.mjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: '(\\.spec|\\.int-spec|\\.e2e-spec)\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': swc('typescript', 'es6'),
    [`/node_modules/(?:.+/node_modules/)?(?:${requiredEsm.join('|')})/.+\\.js$`]: swc('ecmascript', 'commonjs'),
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.+/node_modules/)?(?:${requiredEsm.join('|')})/)`],
  moduleNameMapper: {
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^typescript$': '<rootDir>/test/support/typescript-once.mjs',
  },
  globalSetup: './test/support/start-run.mjs',
  globalTeardown: './test/support/end-run.mjs',
  // Decorators and @peculiar/x509 need it before anything else, whichever file a suite happens to load first.
  setupFiles: ['reflect-metadata'],
  // A limit for what hangs, not a measure: a busy machine with a slow disk must not fail a test, so none sets a shorter
  // one.
  testTimeout: 300_000,
  workerIdleMemoryLimit: '1200MB',
  // A worker of that size needs more than Jest's half a second to end on a busy machine. One with an open handle never
  // ends, and is still reported.
  workerGracefulExitTimeout: 20_000,
  // As many as CI has cores: with a third, tests that measure how long others wait fail now and then.
  maxWorkers: 2,
  testSequencer: './test/support/longest-first.mjs',
};
