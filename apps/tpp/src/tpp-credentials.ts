import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SandboxTpp } from './sandbox-description.js';

/** The credentials of a TPP: directory ids, transport certificate, signing key. */
export interface TppCredentials {
  name: string;
  orgId: string;
  softwareId: string;
  redirectUris: readonly string[];
  transportCertificate: string;
  transportKey: string;
  signingKey: KeyObject;
  signingKid: string;
  /** PS256 with an RSA key, ES256 with an EC key. */
  signingAlgorithm: 'PS256' | 'ES256';
  softwareStatement: string;
  /** called for everything that is signed */
  onSign?: (signed: Signed) => void;
}

/** What was signed: a JWT, or the bytes of a body with a detached JWS. */
export type Signed =
  | { kind: 'jwt'; header: Readonly<Record<string, unknown>>; claims: Readonly<Record<string, unknown>> }
  | { kind: 'detached'; header: Readonly<Record<string, unknown>>; body: Buffer };

/** Reads keys, certificate and software statement of a TPP. */
export async function loadTppCredentials(tpp: SandboxTpp): Promise<TppCredentials> {
  const [transportCertificate = '', transportKey = '', signingPem = '', softwareStatement = ''] = await Promise.all(
    [tpp.transport_cert_file, tpp.transport_key_file, tpp.signing_key_file, tpp.software_statement_file].map((file) =>
      readFile(file, 'utf8'),
    ),
  );
  const signingKey = createPrivateKey(signingPem);
  return {
    name: tpp.name,
    orgId: tpp.org_id,
    softwareId: tpp.software_id,
    redirectUris: tpp.redirect_uris,
    transportCertificate,
    transportKey,
    signingKey,
    signingKid: tpp.signing_kid,
    signingAlgorithm: signingKey.asymmetricKeyType === 'ec' ? 'ES256' : 'PS256',
    softwareStatement: softwareStatement.trim(),
  };
}
