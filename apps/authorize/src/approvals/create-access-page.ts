import type { RefreshGrant } from '#libs/token-store';
import { describePermissions } from '../consent/permissions.js';
import type { LastingAccessPage } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Approver } from './approver.js';
import { createFrame } from './create-approval-pages.js';
import type { Words } from '../wording/words.js';

/** @returns what a customer has allowed that lasts, and what they have ended */
export function createAccessPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    grants: readonly RefreshGrant[];
  },
): LastingAccessPage {
  const access = page.grants.map(
    ({ grantHash, clientName, orgName, scope, consentedAt, expiresAt, usedAt, revokedAt }) => ({
      grant: grantHash.toString('base64url'),
      clientName,
      orgName,
      permissions: describePermissions(words, scope),
      givenOn: words.day(consentedAt),
      endsOn: words.day(expiresAt),
      usedOn: words.day(usedAt),
      endedOn: revokedAt && words.day(revokedAt),
    }),
  );
  return { ...createFrame(words, page.approver, page.request), access };
}
