import { signatureForms } from '../../api/src/describe-api-app.js';

/** A collection for Bruno. */
export interface Collection {
  /** of the Read/Write API */
  readonly version: string;
  /** below the repository's root */
  readonly folder: string;
  /** whether the signature of a body covers its Base64url (RFC 7515), not its bytes (RFC 7797) */
  readonly isEncoded: boolean;
}

/** One for each version, the oldest first. */
export const collections: readonly Collection[] = [...signatureForms].map(([version, form], index) => ({
  version,
  folder: index === 0 ? 'apps/openapi/bruno' : `apps/openapi/bruno-${version}`,
  isEncoded: form === 'b64-absent',
}));
