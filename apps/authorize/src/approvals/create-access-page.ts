import { confirmFunds, type AccessAccount } from '#libs/access-consent';
import type { RecordedFundsQuestion } from '#libs/audit';
import { parseDateTime } from '#libs/obie-rules';
import type { RefreshGrant } from '#libs/token-store';
import type { GivenAccess } from '#libs/customer-session';
import { dayInWords, describeAccess } from '../consent/describe-access.js';
import { formatAccount } from '../consent/format.js';
import { describePermissions } from '../consent/permissions.js';
import type { FundsPage, LastingAccessPage } from '../pages/page-models.js';
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
    /** of consents to funds confirmation, by their ids: when they last asked */
    lastQuestions?: ReadonlyMap<string, Date>;
  },
): LastingAccessPage {
  const consented = page.consents.map((consent) => ({
    grant: consent.consentId,
    isReading: !consent.terms.permissions.includes(confirmFunds),
    clientName: consent.clientName,
    orgName: consent.orgName,
    onBehalfOfOrg: consent.onBehalfOfOrg,
    permissions: describeAccess(words, consent.terms),
    accounts: consent.accounts.map((account) => showAccount(words, account)),
    isFunds: consent.terms.permissions.includes(confirmFunds),
    givenOn: words.moment(consent.authorisedAt),
    usedOn: describeUse(words, page.lastQuestions, consent),
    endsOn: dayInWords(words, consent.terms.expirationDateTime),
    endedOn: consent.endedAt && words.day(consent.endedAt),
  }));
  const granted = page.grants.map(
    ({ grantHash, clientName, orgName, onBehalfOfOrg, scope, consentedAt, expiresAt, usedAt, revokedAt }) => ({
      grant: grantHash.toString('base64url'),
      isReading: false,
      isFunds: false,
      clientName,
      orgName,
      onBehalfOfOrg,
      permissions: describePermissions(words, scope),
      givenOn: words.moment(consentedAt),
      endsOn: words.day(expiresAt),
      // Not every use of a refresh token is stored.
      usedOn: words.text('access.usedSince', { moment: words.moment(usedAt) }),
      endedOn: revokedAt && words.day(revokedAt),
    }),
  );
  const access = [...consented, ...granted];
  const { word } = page.request;
  const ended = access.find(({ grant, endedOn }) => endedOn !== undefined && grant === word?.value);
  return { ...createFrame(words, page.approver, page.request), access, ended };
}

/** The last page that can be requested. */
const lastPlace = 999;

/** @returns the number of the requested page; 0 if it is not one that a link has */
export function placeOf(asked: string | undefined): number {
  return /^\d+$/.test(asked ?? '') && Number(asked) <= lastPlace ? Number(asked) : 0;
}

/** @returns the page of the questions about the money in an account: who asked, when, and the answers */
export function createFundsPage(
  words: Words,
  page: {
    approver: Approver;
    request: PageRequest;
    consent: GivenAccess;
    questions: readonly RecordedFundsQuestion[];
    /** number of the page, from 0 */
    place: number;
    isLast: boolean;
  },
): FundsPage {
  const { consent, questions, place, isLast } = page;
  const address = `/approvals/access/funds?consent=${consent.consentId}`;
  return {
    ...createFrame(words, page.approver, page.request),
    clientName: consent.clientName,
    orgName: consent.orgName,
    onBehalfOfOrg: consent.onBehalfOfOrg,
    accounts: consent.accounts.map((account) => showAccount(words, account)),
    endsAt: describeMoment(words, parseDateTime(consent.terms.expirationDateTime ?? '')),
    endedOn: consent.endedAt && words.day(consent.endedAt),
    questions: questions.map(({ askedAt, amount, currency, reference, isAvailable }) => ({
      at: words.moment(askedAt),
      amount: words.money(amount, currency),
      reference: reference ?? undefined,
      answer: isAvailable === null ? 'funds.noAnswer' : isAvailable ? 'funds.yes' : 'funds.no',
    })),
    laterAddress: place > 0 ? `${address}&page=${place - 1}` : undefined,
    earlierAddress: isLast || place >= lastPlace ? undefined : `${address}&page=${place + 1}`,
  };
}

/** With the full number, because the customer has given both factors. */
export function showAccount(words: Words, { SchemeName, Identification, Name }: AccessAccount) {
  return { name: Name, identification: formatAccount(words, SchemeName, Identification) };
}

/**
 * A question about funds is shown with its time, any other use with its day. Questions are erased one day, so the page
 * never says that there was none.
 */
function describeUse(
  words: Words,
  lastQuestions: ReadonlyMap<string, Date> | undefined,
  { consentId, terms, lastUsedAt }: GivenAccess,
): string | undefined {
  if (terms.permissions.includes(confirmFunds)) return describeMoment(words, lastQuestions?.get(consentId));
  return lastUsedAt === undefined ? words.text('access.neverUsed') : words.day(lastUsedAt);
}

function describeMoment(words: Words, date: Date | undefined): string | undefined {
  return date && words.moment(date);
}
