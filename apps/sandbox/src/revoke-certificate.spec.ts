import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../../test/support/certificates.js';
import { revokeCertificate } from './revoke-certificate.js';
import { SandboxError } from './sandbox-error.js';
import { RevokedCertificates } from './trust/revoked-certificates.js';

const now = new Date('2026-01-01T00:00:00Z');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'revoke-certificate-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const writeFileOfSandbox = async (name: string, content: string): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, content);
  return file;
};

describe('sandbox certificate revoke', () => {
  it('says in one line that a file is not a certificate', async () => {
    await writeFileOfSandbox('sandbox.json', '{}');
    const file = await writeFileOfSandbox('x.pem', 'no certificate');
    const revocation = revokeCertificate({ directory, file, now });
    await expect(revocation).rejects.toThrow(SandboxError);
    await expect(revocation).rejects.toThrow(/^--certificate \S+ is not a PEM certificate\.$/);
  });

  it('says that a file cannot be read', async () => {
    await writeFileOfSandbox('sandbox.json', '{}');
    const revocation = revokeCertificate({ directory, file: join(directory, 'nowhere.pem'), now });
    await expect(revocation).rejects.toThrow(SandboxError);
  });

  it('needs a sandbox', async () => {
    const file = await writeFileOfSandbox(
      'x.pem',
      (await aCertificate({ profile: 'authority', name: 'A' })).certificate,
    );
    await expect(revokeCertificate({ directory, file, now })).rejects.toThrow('There is no sandbox in');
  });

  it('loses none of several that are revoked at once', async () => {
    await writeFileOfSandbox('sandbox.json', '{}');
    const files = await Promise.all(
      ['A', 'B', 'C', 'D'].map(async (name) =>
        writeFileOfSandbox(`${name}.pem`, (await aCertificate({ profile: 'authority', name })).certificate),
      ),
    );
    const serialNumbers = await Promise.all(files.map((file) => revokeCertificate({ directory, file, now })));
    const revoked = await new RevokedCertificates(directory).list();
    expect(revoked.map(({ serialNumber }) => serialNumber).sort()).toEqual([...serialNumbers].sort());
  });
});
