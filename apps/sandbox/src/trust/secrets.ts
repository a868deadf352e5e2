import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { privateMode, writeFileAtomically } from '../write-file-atomically.js';
import { createDirectoryId } from './directory-id.js';

/** Values that the sandbox's bank draws once and keeps, because identifiers and clients' secrets depend on them. */
export interface SandboxSecrets {
  /** 18 letters and digits: the bank's id at the directory. */
  organisationId: string;
  clientSecretPepper: string;
  clientSecretEncryptionKey: string;
  pairwiseSubjectKey: string;
  sessionKey: string;
  auditDigestKey: string;
}

/** Reads the secrets, and first draws them if there are none. */
export async function ensureSecrets(path: string): Promise<SandboxSecrets> {
  const text = await readFile(path, 'utf8').catch(() => undefined); // absent: the first start
  if (text !== undefined) return JSON.parse(text) as SandboxSecrets;
  const secrets = {
    organisationId: createDirectoryId(18),
    clientSecretPepper: randomBytes(32).toString('hex'),
    clientSecretEncryptionKey: randomBytes(32).toString('hex'),
    pairwiseSubjectKey: randomBytes(32).toString('hex'),
    sessionKey: randomBytes(32).toString('hex'),
    auditDigestKey: randomBytes(32).toString('hex'),
  };
  await writeFileAtomically(path, `${JSON.stringify(secrets, undefined, 2)}\n`, privateMode);
  return secrets;
}
