import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createCryptographyPage, readCryptography, readKeys } from '../../deploy/write-cryptography.mjs';
import * as settings from '../support/apps/settings.js';
import { readSettings } from '../../deploy/write-configuration.mjs';

const page = readFileSync(join(resolve('.'), 'deploy/cryptography.md'), 'utf8');

describe('deploy/cryptography.md', () => {
  it('is what the code says', () => {
    expect(page === createCryptographyPage(settings) ? 'right' : 'out of date: npm run configuration').toBe('right');
  });

  it('says beside each algorithm what it is for', () => {
    const line = page.split('\n').find((each) => each.startsWith('- `SIGNING_KEYS`'));
    expect(line).toContain('. RSA-2048, EC P-256: new key pairs');
    expect(line).toContain('. PS256, ES256: ID tokens');
  });

  it('has every file that uses a library of cryptography, or says how TLS is to be', () => {
    expect(readCryptography().untold).toEqual([]);
  });

  it('lists every secret setting that is a key, with its purpose and holder', () => {
    // These are addresses with a password.
    const secrets = readSettings(settings.allSettings).filter(
      ({ isSecret, name }) => isSecret && !/^(?:DATABASE|DATABASE_REPLICA|EGRESS_PROXY)_URL$/.test(name),
    );
    const keys = readKeys(settings);
    expect(keys.map(({ name }) => name)).toEqual(secrets.map(({ name }) => name));
    expect(keys.filter(({ processes }) => processes.length === 0)).toEqual([]);
    const used = readCryptography().uses.flatMap(({ key }) => key.split(', '));
    expect(keys.filter(({ name }) => !used.includes(name))).toEqual([]);
  });

  it('names no setting that does not exist', () => {
    const names = readSettings(settings.allSettings).map(({ name }) => name);
    const named = readCryptography().uses.flatMap(
      ({ key, purpose }) => `${key} ${purpose}`.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [],
    );
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});
