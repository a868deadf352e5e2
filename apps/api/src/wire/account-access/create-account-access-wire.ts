import { accountAccessKind } from '#libs/access-consent';
import { pathOf } from '../file-payment/paths.js';
import type { AccessWire } from '../wire.js';
import { accountAccessDocuments } from './documents.js';
import { createAccountAccessReader } from './read-consent-request.js';
import type { AccessVersion } from './version.js';
import { createAccountAccessWriter } from './write-consent.js';

/** @returns account access consents in one version: its words, read and written by what all versions share */
export function createAccountAccessWire(version: AccessVersion): AccessWire {
  const write = createAccountAccessWriter(version.words);
  return {
    ...version,
    area: 'account information',
    kind: accountAccessKind,
    refusals: {},
    pathOf,
    read: createAccountAccessReader(version),
    write,
    documents: accountAccessDocuments(version, write),
  };
}
