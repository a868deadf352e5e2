import type { RefreshGrant } from '#libs/token-store';
import { formatDay } from '../consent/format.js';
import { describePermissions } from '../consent/permissions.js';
import type { LastingAccessPage } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Approver } from './approver.js';
import { createFrame } from './create-approval-pages.js';

/** @returns what a customer has allowed that lasts, and what they have ended */
export function createAccessPage(page: {
  approver: Approver;
  request: PageRequest;
  grants: readonly RefreshGrant[];
}): LastingAccessPage {
  const access = page.grants.map(
    ({ grantHash, clientName, orgName, scope, consentedAt, expiresAt, usedAt, revokedAt }) => ({
      grant: grantHash.toString('base64url'),
      clientName,
      orgName,
      permissions: describePermissions(scope),
      givenOn: formatDay(consentedAt),
      endsOn: formatDay(expiresAt),
      usedOn: formatDay(usedAt),
      endedOn: revokedAt && formatDay(revokedAt),
    }),
  );
  return { ...createFrame(page.approver, page.request), access };
}
