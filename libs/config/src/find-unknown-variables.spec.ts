import { describe, expect, it } from '@jest/globals';
import { findUnknownVariables } from './find-unknown-variables.js';

describe('variables that are not settings', () => {
  it.each([
    ['PAYMENT_LIMIT', 'PAYMENT_LIMITS'],
    ['STRICTT', 'STRICT'],
    ['PORD', 'PORT'],
    ['BANK_URLS_FILE', 'BANK_URL'],
    ['DATABASE_HOST', 'DATABASE_TLS'],
    ['CUT_OFF_STRATEGY', 'CUT_OFF_TIMES'],
  ])('%s is named, with %s', (name, nearest) => {
    expect(findUnknownVariables({ [name]: 'x' })).toEqual([`${name} is not a setting. The nearest is ${nearest}.`]);
  });

  it.each(['PATH', 'HOME', 'NODE_OPTIONS', 'npm_config_cache', 'BANK_URL', 'BANK_CA_FILE', 'KUBERNETES_SERVICE_HOST'])(
    '%s is not named',
    (name) => {
      expect(findUnknownVariables({ [name]: 'x' })).toEqual([]);
    },
  );
});
