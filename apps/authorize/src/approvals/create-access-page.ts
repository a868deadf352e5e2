import { confirmFunds } from '#libs/access-consent';
import type { RefreshGrant } from '#libs/token-store';
import type { GivenAccess } from '#libs/authorization-session';
import { dayInWords, describeAccess } from '../consent/describe-access.js';
import { maskAccount } from '../consent/format.js';
import { describePermissions } from '../consent/permissions.js';
import type { LastingAccessPage } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Approver } from './approver.js';
import { createFrame } from './create-approval-pages.js';
import type { Words } from '../wording/words.js';

/** @returns the lasting access that a customer has given or ended */
export function createAccessPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    grants: readonly RefreshGrant[];
    consents: readonly GivenAccess[];
    /** of consents, by their ids */
    lastUses: ReadonlyMap<string, Date>;
  },
): LastingAccessPage {
  const consented = page.consents.map((consent) => ({
    grant: consent.consentId,
    isReading: !consent.terms.permissions.includes(confirmFunds),
    clientName: consent.clientName,
    orgName: consent.orgName,
    permissions: describeAccess(words, consent.terms),
    accounts: consent.accounts.map(({ SchemeName, Identification, Name }) => ({
      name: Name,
      identification: maskAccount(words, SchemeName, Identification),
    })),
    isFunds: consent.terms.permissions.includes(confirmFunds),
    givenOn: words.moment(consent.authorisedAt),
    usedOn: describeMoment(words, page.lastUses.get(consent.consentId)),
    endsOn: dayInWords(words, consent.terms.expirationDateTime),
    endedOn: consent.endedAt && words.day(consent.endedAt),
  }));
  const granted = page.grants.map(
    ({ grantHash, clientName, orgName, scope, consentedAt, expiresAt, usedAt, revokedAt }) => ({
      grant: grantHash.toString('base64url'),
      isReading: false,
      isFunds: false,
      clientName,
      orgName,
      permissions: describePermissions(words, scope),
      givenOn: words.moment(consentedAt),
      endsOn: words.day(expiresAt),
      usedOn: words.moment(usedAt),
      endedOn: revokedAt && words.day(revokedAt),
    }),
  );
  const access = [...consented, ...granted];
  const { word } = page.request;
  const ended = access.find(({ grant, endedOn }) => endedOn !== undefined && grant === word?.value);
  return { ...createFrame(words, page.approver, page.request), access, ended };
}

function describeMoment(words: Words, date: Date | undefined): string | undefined {
  return date && words.moment(date);
}
