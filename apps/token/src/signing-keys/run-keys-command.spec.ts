import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod, chown, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { runKeysCommand } from './run-keys-command.js';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'keys-')), 'signing-keys.json');
});

const generate = (algorithm: string): Promise<string> =>
  runKeysCommand(['generate', '--algorithm', algorithm, '--file', file]);

const adopt = async (key: KeyObject | string, transit = 'open-banking:2'): Promise<string> => {
  const pem = `${file}.pem`;
  await writeFile(pem, typeof key === 'string' ? key : key.export({ type: 'spki', format: 'pem' }));
  return runKeysCommand(['adopt', '--file', file, '--transit', transit, '--public-key', pem]);
};

describe('the file of the signing keys', () => {
  it('is for its owner alone when it is made', async () => {
    await generate('ES256');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no distinguished name', () => ['generate', '--file', file, '--subject', 'nobody'], '--subject must be'],
    ...[
      'CN=1,"nobody",C=GB',
      'CN=1, O = nobody',
      'CN=1,my_nobody=x',
      'CN=1,nobody=x',
      'CN="1" nobody,C=GB',
      'nobody=',
    ].map((subject): [string, () => string[], string] => [
      `a subject that is read only in part, ${subject}`,
      () => ['generate', '--file', file, '--subject', subject],
      'nobody',
    ]),
    ['a folder that is not there', () => ['generate', '--file', join(file, 'keys.json')], 'cannot be written'],
  ])('is not made with %s', async (_, parameters, message) => {
    await expect(runKeysCommand(parameters())).rejects.toThrow(
      expect.objectContaining({ name: 'KeyFileError', message: expect.stringContaining(message) }),
    );
    expect(await readdir(join(file, '..'))).toEqual([]);
  });

  it.each([
    ['CN=0123456789ABCDEFGH,O=Bank,C=GB', 'CN=0123456789ABCDEFGH, O=Bank, C=GB'],
    ['CN=1+OU=a\\,b, O="Bank, Inc.",2.5.4.97=PSDGB-1', 'CN=1+OU=a\\,b, O=Bank\\, Inc., 2.5.4.97=PSDGB-1'],
  ])('comes with a request for the whole subject %s', async (subject, whole) => {
    const pem = await runKeysCommand(['generate', '--file', file, '--subject', subject]);
    expect(new Pkcs10CertificateRequest(pem).subject).toBe(whole);
  });

  it('takes no certificate that cannot be read', async () => {
    const kid = await generate('ES256');
    await writeFile(`${file}.pem`, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    await expect(
      runKeysCommand(['certify', '--file', file, '--kid', kid, '--certificate', `${file}.pem`]),
    ).rejects.toThrow(`The file holds no certificate for the key ${kid}.`);
  });

  it('keeps its mode when it is replaced', async () => {
    await generate('ES256');
    await chmod(file, 0o400);
    await generate('PS256');
    expect((await stat(file)).mode & 0o777).toBe(0o400);
    expect(await readdir(join(file, '..'))).toEqual(['signing-keys.json']);
  });

  // Only root gives files away.
  (process.getuid?.() === 0 ? it : it.skip)('keeps its owner when root replaces it', async () => {
    await generate('ES256');
    await chown(file, 65_532, 65_532);
    await generate('PS256');
    const { uid, gid } = await stat(file);
    expect({ uid, gid }).toEqual({ uid: 65_532, gid: 65_532 });
  });
});

describe('a key that stays at a signing service', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  it('is the next key of its algorithm, current if it is the first, and in the set by its public half only', async () => {
    await generate('PS256');
    expect(await adopt(rsa.publicKey)).toMatch(
      /^current  PS256 \S+ \(no certificate\)\nnext     PS256 \S+ \(no certificate\)$/,
    );
    expect(await adopt(ec.publicKey, 'ec:1')).toMatch(/^current  ES256 /m);
    const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: Record<string, unknown>[] };
    expect(keys.filter(({ transit }) => transit !== undefined)).toMatchObject([
      { ...ec.publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', transit: 'ec:1', state: 'current' },
      {
        ...rsa.publicKey.export({ format: 'jwk' }),
        alg: 'PS256',
        use: 'sig',
        transit: 'open-banking:2',
        state: 'next',
      },
    ]);
    await expect(adopt(rsa.publicKey)).rejects.toThrow('There is already a next key for PS256');
    expect(await runKeysCommand(['promote', '--file', file])).toMatch(/^retired  PS256 [^]*^current  PS256 /m);
  });

  it.each([
    ['another name', rsa.publicKey, 'open-banking', 'transit'],
    ['another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey, 'open-banking:1', 'P-256'],
    ['no key', 'open-banking', 'open-banking:1', 'no public key'],
  ])('is not taken with %s', async (_, key, transit, message) => {
    await expect(adopt(key as KeyObject | string, transit)).rejects.toThrow(message);
    expect(await readdir(join(file, '..'))).toEqual(['signing-keys.json.pem']);
  });
});
