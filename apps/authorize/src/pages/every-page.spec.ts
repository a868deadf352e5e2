import { posix } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { confirmFunds, fundsConfirmationKind } from '#libs/access-consent';
import { AccessDeniedError, InvalidRequestError } from '#libs/oauth';
import { textOf } from '../../../tpp/src/customer/html-page.js';
import { makeInstructionList } from '../../../../test/support/make-instruction-list.js';
import { ApprovalPages } from '../approvals/approval-pages.service.js';
import { ApprovalSignInController } from '../approvals/approval-sign-in.controller.js';
import { FundsHistoryController } from '../approvals/funds-history.controller.js';
import { LastingAccessController } from '../approvals/lasting-access.controller.js';
import { OwnOverviewController } from '../approvals/own-overview.controller.js';
import { PaymentApprovalsController } from '../approvals/payment-approvals.controller.js';
import { ChallengeController } from '../challenge/challenge.controller.js';
import { ChallengePages } from '../challenge/challenge-pages.service.js';
import { ConsentController } from '../consent/consent.controller.js';
import { ConsentPages } from '../consent/consent-pages.service.js';
import { parsePaymentsToApprove, type PaymentsToApprove } from '../consent/payments-to-approve.js';
import { FrontController } from '../front/front.controller.js';
import { createLook } from '../look/create-look.js';
import { MoreTimeController } from '../psu-session/more-time.controller.js';
import { SecondFactorController } from '../sign-in/second-factor.controller.js';
import { SignInController } from '../sign-in/sign-in.controller.js';
import { SignInPages } from '../sign-in/sign-in-pages.service.js';
import { en } from '../wording/en.js';
import type { Language } from '../wording/languages.js';
import { Html } from '../wording/words.js';
import type { Answer } from './answer.js';
import { endPageContent } from './end-page-content.js';
import { errorPageContent } from './error-page-content.js';
import { formProblems, type FormProblemName } from './form-problems.js';
import { PageRenderer, type ReadablePage } from './page-renderer.js';

const bank = 'https://bank.example';
const id = '0190aaaa-0000-7000-8000-000000000000';
const now = new Date('2026-11-27T12:00:00Z');
const later = new Date('2026-11-27T12:30:00Z');
const look = createLook('Bank', {
  colour: '#0b3d66',
  helpLine: '0800 123 456',
  helpUrl: `${bank}/help`,
  privacyUrl: `${bank}/privacy`,
  accessibilityUrl: `${bank}/accessibility`,
});
/** Keeps what the page was made from. */
class ObservedRenderer extends PageRenderer {
  view: unknown;

  override render(...[name, create]: Parameters<PageRenderer['render']>): ReadablePage {
    return super.render(name, (words) => (this.view = create(words)) as never);
  }
}
const renderer = new ObservedRenderer(look);
const clock = { now: () => now } as never;

const currentAccount = {
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: '20000110000001',
  name: 'Current account',
  currency: 'GBP',
  availableBalance: '100.00',
  approvalsRequired: 2,
};
const savings = { ...currentAccount, identification: '20000110000002', name: 'Savings', unusable: 'Blocked' as const };
const shared = { SchemeName: currentAccount.schemeName, Identification: '20000110000001', Name: 'Current account' };
const client = { clientName: 'Till', orgName: 'Till Ltd', orgId: 'O-1', onBehalfOfOrg: 'Own Shop' };

/** What a TPP has staged, with this number of payments. */
const staged = (count: number) =>
  ({
    consentId: id,
    status: 'AwaitingAuthorisation',
    expiresAt: later,
    initiation: JSON.stringify({ FileReference: 'November' }),
    conditions: { ReadRefundAccount: 'Yes' },
    charges: JSON.stringify([{ Amount: { Amount: '0.50', Currency: 'GBP' } }]),
    ...makeInstructionList({
      Data: {
        DomesticPayments: Array.from({ length: count }, (_, place) => ({
          InstructionIdentification: `I-${place}`,
          EndToEndIdentification: `E-${place}`,
          InstructedAmount: { Amount: `${place + 10}.50`, Currency: 'GBP' },
          CreditorAccount: {
            SchemeName: 'UK.OBIE.SortCodeAccountNumber',
            Identification: `200001123456${place + 10}`,
            Name: `Payee ${place}`,
          },
          RemittanceInformation: { Reference: `R-${place}`, Unstructured: `Message ${place}` },
        })),
      },
    }),
  }) as never;
const fileOf = (count: number) => parsePaymentsToApprove(staged(count));
const answers = {
  find: ({ file }: { file: { payments: readonly unknown[] } }) =>
    Promise.resolve({ names: file.payments.map(() => ({ match: 'NoMatch' })), known: 'Unavailable' }),
} as never;
const config = (bothFactorsFirst = true) =>
  ({
    authUrl: bank,
    authorization: { bothFactorsFirst, approvalSeconds: 86_400, sessionSeconds: 1_800 },
    filePayment: { cutOff: { calendar: { times: { 'UK.OBIE.FPS': { time: '16:30', isDaily: true } }, holidays: [] } } },
    token: { refreshTokenSeconds: 86_400 },
  }) as never;

const challengeOf = (method: string, more: object = {}) => ({
  challengeId: 'c-1',
  method,
  ...(method !== 'Push' && { codeBy: 'TextMessage' }),
  debtorAccount: shared,
  accounts: [shared],
  filePaymentId: id,
  ...more,
});

/** A journey whose page is of a stage. */
const journey = (stage: string, differences: { word?: unknown; access?: unknown; [name: string]: unknown } = {}) => {
  const { word, access, scope = ['payments'], ...session } = differences;
  const request = { ...client, scope, redirectUri: 'https://app.example/cb', isLasting: true };
  return {
    value: 'session-value',
    call: { interactionId: 'interaction-12345678' },
    word,
    access,
    session: {
      sessionId: id,
      stage,
      psuId: 'bob',
      psuName: 'Bob Brown',
      expiresAt: later,
      consentId: id,
      request,
      ...session,
    },
  } as never;
};
const accessTo = (kind: string, permissions: string[], more: object = {}) => ({
  kind,
  accounts: [],
  terms: {
    permissions,
    expirationDateTime: '2027-01-01T00:00:00+00:00',
    transactionFromDateTime: '2026-01-01T00:00:00+00:00',
    ...more,
  },
});
const toRead = accessTo('AccountAccess', ['ReadAccountsDetail', 'ReadBalances', 'ReadTransactionsDetail']);
const toConfirm = accessTo(fundsConfirmationKind.name, [confirmFunds], { debtorAccount: shared });

const signIn = (name?: FormProblemName, scope?: string[]) =>
  new SignInPages(renderer).createSignInPage(journey('SignIn', { ...(scope && { scope }) }), name && { name });
const challenges = new ChallengePages(renderer, config(), clock);
const secondFactor = (method: string | undefined, problem?: FormProblemName) =>
  challenges.createSignInPage(
    journey('SecondFactor', { ...(method && { challenge: challengeOf(method) }) }),
    problem && formProblems[problem],
  );
const decision = (
  method: string,
  about: { file?: PaymentsToApprove; access?: unknown; scope?: string[]; word?: object } = {},
  problem?: FormProblemName,
) =>
  challenges.createDecisionPage({
    open: journey('Challenge', about),
    challenge: challengeOf(method, { debtorAccount: about.file && shared }) as never,
    file: undefined,
    problem: problem && formProblems[problem],
    ...about,
  });
const consents = (bothFactorsFirst?: boolean) => new ConsentPages(renderer, answers, config(bothFactorsFirst), clock);
const payment = (count: number, problem?: FormProblemName, accounts = [currentAccount, savings]) =>
  consents(problem === undefined).createPaymentPage({
    open: journey('Consent'),
    decidable: { file: fileOf(count), accounts: accounts as never },
    order: 'Place',
    problem: problem && formProblems[problem],
  });
const access = (about: typeof toRead, problem?: FormProblemName) =>
  consents().createAccessPage({
    open: journey('Consent', { access: about }),
    access: about as never,
    accounts: (about === toConfirm ? [currentAccount] : [currentAccount, savings]) as never,
    problem: problem && formProblems[problem],
  });

const waiting = {
  filePaymentId: id,
  status: 'InitiationPending',
  createdAt: now,
  ...client,
  debtorAccount: currentAccount,
  total: '12.50',
  numberOfPayments: 3,
  payee: undefined,
  approvalsRequired: 2,
  approvalsReceived: 1,
  isFirstApprover: false,
  isClientActive: true,
  isStopped: false,
  decisions: [{ psuId: 'alice', outcome: 'Approved', decidedAt: now }],
};
const given = {
  consentId: id,
  ...client,
  terms: toConfirm.terms,
  accounts: [shared],
  authorisedAt: now,
};
const grant = {
  grantHash: Buffer.alloc(32, 1),
  ...client,
  scope: ['accounts'],
  consentedAt: now,
  expiresAt: later,
  usedAt: now,
};
const ended = '0190bbbb-0000-7000-8000-000000000000';
const otherSession = { sessionId: ended, createdAt: now, expiresAt: later };
const visitor = (challenge?: object) => ({
  value: 'v',
  session: { sessionId: id, psuId: 'bob', psuName: 'Bob Brown', createdAt: now, expiresAt: later, challenge },
});
const approver = (challenge?: object) => {
  const visit = visitor(challenge);
  return { ...visit, session: { ...visit.session, acr: 'a', authenticatedAt: now } };
};
const requestWith = (word?: object) =>
  ({ interactionId: 'interaction-12345678', form: new Map(), hold: () => undefined, word }) as never;
const request = requestWith();
const visits = { find: () => Promise.resolve(approver()), createCookie: () => 'a=b' } as never;
const found = (values: readonly unknown[]) => ({ findOfPsu: () => Promise.resolve(values) }) as never;
const paymentAccounts = { findPaymentAccounts: () => Promise.resolve([currentAccount]) } as never;
const approvals = (count = 3, differences: object = {}) => {
  const payment = { ...waiting, numberOfPayments: count, ...differences };
  const service = {
    find: () => Promise.resolve({ payment, consent: staged(count) }),
    findAwaiting: () => Promise.resolve(count === 0 ? [] : [payment, { ...payment, payee: 'Payee 1' }]),
  } as never;
  const sessions = found([{ sessionId: id }, otherSession]);
  const none = undefined as never;
  const tools = [paymentAccounts, answers, renderer, clock, config()] as const;
  return new PaymentApprovalsController(visits, none, service, sessions, none, ...tools);
};
const asked = { file_payment: id, ending: undefined, order: undefined, advice: undefined, decline: undefined };
const load = { isSafe: false, isWaiting: false, isEnded: false, to: undefined };
const approvalPages = new ApprovalPages(renderer);
const secondFactorOfApprover = (method: string | undefined, problem?: FormProblemName) =>
  approvalPages.createSignInChallenge({
    visit: visitor(method === undefined ? undefined : challengeOf(method)) as never,
    request,
    landing: '/approvals/access',
    problem: problem && formProblems[problem],
  });
const challengeOfApprover = (method: string, count: number, problem?: FormProblemName) =>
  approvalPages.createDecisionChallenge({
    visit: approver(challengeOf(method)) as never,
    request: requestWith({ name: 'codeSent' }),
    payment: waiting as never,
    file: fileOf(count),
    problem: problem && formProblems[problem],
  });
const doorOfApprovals = (differences: object = {}, name?: FormProblemName) => {
  const desk = { findStatus: () => Promise.resolve('Pending') };
  const none = undefined as never;
  const tools = [desk as never, approvalPages, renderer, config(), clock] as const;
  const door = new ApprovalSignInController(visits, none, none, none, ...tools);
  return door.show({ value: 'v' }, requestWith(name && { name }), { ...load, ...differences });
};
const question = { askedAt: now, amount: '9.99', currency: 'GBP', reference: 'Card 1', isAvailable: true };
const database = (rows: readonly object[]) => ({ query: () => Promise.resolve({ rows }) }) as never;
const lastingAccess = (isEmpty = false) => {
  const ofPsu = [given, { ...given, consentId: ended, terms: toRead.terms, endedAt: now }];
  const none = undefined as never;
  const [grants, accesses] = isEmpty ? [[], []] : [[grant], ofPsu];
  return new LastingAccessController(visits, found(grants), found(accesses), none, database([]), renderer, clock);
};
const funds = (rows: readonly object[], page: string) =>
  new FundsHistoryController(visits, found([given]), database(rows), renderer, clock).show(request, {
    consent: id,
    page,
  });
const overview = (isEmpty = false) => {
  const own = [
    { ...client, outcome: 'Approved', decidedAt: now, access: { isFunds: false, accounts: [shared] } },
    { ...client, outcome: 'Declined', decidedAt: now, file: { total: '7.00', numberOfPayments: 2, payee: undefined } },
  ];
  const decided = { findDecided: () => Promise.resolve(isEmpty ? [] : [waiting]) } as never;
  const sessions = found([{ ...otherSession, sessionId: id }, otherSession]);
  return new OwnOverviewController(
    visits,
    sessions,
    decided,
    found(isEmpty ? [] : own),
    paymentAccounts,
    renderer,
    clock,
  );
};

type Made = Answer | Promise<Answer>;
const pages: Readonly<Record<string, () => Made>> = {
  'the sign-in': () => signIn(),
  'the sign-in for access': () => signIn(undefined, ['accounts']),
  'the sign-in for funds': () => signIn(undefined, ['fundsconfirmations']),
  'the second factor before there is one': () => secondFactor(undefined),
  'the second factor by code': () => secondFactor('Code'),
  'the second factor in the app': () => secondFactor('Push'),
  'a file of three': () => payment(3),
  'a file of nine': () => payment(9),
  'a single payment': () => payment(1, undefined, [currentAccount]),
  'access to read': () => access(toRead),
  'access to confirm funds': () => access(toConfirm),
  identity: () => consents().createIdentityPage(journey('Consent', { consentId: undefined, scope: ['accounts'] })),
  'the question why': () => consents().createDeclinePage(journey('Consent'), 'Consent'),
  'the challenge of a file': () => decision('Code', { file: fileOf(3), word: { name: 'codeSent' } }),
  'the challenge of a payment': () => decision('CodeOrPush', { file: fileOf(1) }),
  'the challenge of a payment in the app': () => decision('Push', { file: fileOf(1) }),
  'the challenge of access to read': () => decision('Code', { access: toRead }),
  'the challenge of access to confirm': () => decision('Code', { access: toConfirm }),
  'the challenge of an identity': () => decision('Code', { scope: ['accounts'] }),
  'the door of the approvals': () => doorOfApprovals(),
  'the door of the approvals after the session': () => doorOfApprovals({ isEnded: true, to: '/approvals/access' }),
  'the second factor of an approver before there is one': () => secondFactorOfApprover(undefined),
  'the second factor of an approver': () => secondFactorOfApprover('Code'),
  'the second factor of an approver in the app': () => secondFactorOfApprover('Push'),
  'a file that waits': () => approvals(9).showPayment(request, asked),
  'a payment that waits': () => approvals(1).showPayment(request, asked),
  'a file that was approved': () =>
    approvals(3, { decision: { outcome: 'Approved', decidedAt: now } }).showPayment(request, asked),
  'a file that was declined for fraud': () =>
    approvals(3, { decision: { outcome: 'Declined', decidedAt: now } }).showPayment(request, {
      ...asked,
      advice: 'SuspectedFraud',
    }),
  'the question why of an approver': () => approvals().showPayment(request, { ...asked, decline: '1' }),
  'the challenge of an approver': () => challengeOfApprover('Code', 3),
  'the challenge of an approver in the app': () => challengeOfApprover('Push', 1),
};
/** Pages that are only ever read at their own address. */
const overviews: Readonly<Record<string, () => Made>> = {
  'what waits': () => approvals().showList(request, load),
  'nothing that waits': () => approvals(0).showList(request, load),
  'lasting access': () => lastingAccess().show(requestWith({ name: 'accessEnded', value: ended })),
  'no lasting access': () => lastingAccess(true).show(request),
  'the end of access': () => lastingAccess().confirm(request, { grant: id }),
  'questions about money': () =>
    funds(
      Array.from({ length: 101 }, () => question),
      '1',
    ),
  'no questions about money': () => funds([], '0'),
  decisions: () => overview().showDecided(request),
  'no decisions': () => overview(true).showDecided(request),
  sessions: () => overview().showSessions(request),
};
const reference = 'interaction-12345678';
const rendered = (page: ReadablePage): Answer => ({ kind: 'page', status: 200, page });
/** Pages whose reader is led elsewhere, or nowhere. */
const last: Readonly<Record<string, () => Made>> = {
  'an end': () =>
    rendered(
      renderer.render('end', () => ({
        ...endPageContent('TooLate', new AccessDeniedError('late')),
        clientName: 'Till',
        reference,
        backAddress: `${bank}/cb?error=access_denied`,
      })),
    ),
  'an error': () =>
    rendered(renderer.render('error', () => ({ ...errorPageContent(new InvalidRequestError('no scope')), reference }))),
  'more time': () => rendered(renderer.render('more-time', () => ({ reference, until: '12:30' }))),
  'the bare address': () => rendered(renderer.render('front', () => ({ reference, discoveryAddress: bank }))),
};

/** Where each mistake is shown. */
const mistakes: Readonly<Record<FormProblemName, readonly (() => Made)[]>> = {
  usernameMissing: [() => signIn('usernameMissing'), () => doorOfApprovals({}, 'usernameMissing')],
  passwordMissing: [() => signIn('passwordMissing'), () => doorOfApprovals({}, 'passwordMissing')],
  wrongCredentials: [() => signIn('wrongCredentials'), () => doorOfApprovals({}, 'wrongCredentials')],
  codeMissing: [
    () => secondFactor('Code', 'codeMissing'),
    () => decision('Code', { file: fileOf(1) }, 'codeMissing'),
    () => secondFactorOfApprover('Code', 'codeMissing'),
    () => challengeOfApprover('Code', 3, 'codeMissing'),
  ],
  wrongCode: [
    () => secondFactor('Code', 'wrongCode'),
    () => decision('Code', { access: toRead }, 'wrongCode'),
    () => secondFactorOfApprover('Code', 'wrongCode'),
    () => challengeOfApprover('Code', 1, 'wrongCode'),
  ],
  accountMissing: [() => payment(3, 'accountMissing')],
  accountUnusable: [() => payment(3, 'accountUnusable')],
  accountsMissing: [() => access(toRead, 'accountsMissing')],
  fileChanged: [() => payment(3, 'fileChanged')],
  otherChallenge: [
    () => decision('Code', { file: fileOf(1) }, 'otherChallenge'),
    () => decision('Code', { access: toRead }, 'otherChallenge'),
    () => challengeOfApprover('Code', 3, 'otherChallenge'),
  ],
  secondFactorUsed: [() => secondFactor('Code', 'secondFactorUsed'), () => secondFactor(undefined, 'secondFactorUsed')],
};

/** Method and path of everything that a customer's browser may ask for. */
const controllers = [
  ApprovalSignInController,
  ChallengeController,
  ConsentController,
  FrontController,
  FundsHistoryController,
  LastingAccessController,
  MoreTimeController,
  OwnOverviewController,
  PaymentApprovalsController,
  SecondFactorController,
  SignInController,
];
const routes = new Set(
  controllers.flatMap((controller) =>
    Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(({ value: handler }) => {
      const method = Reflect.getMetadata('method', handler as object) as RequestMethod | undefined;
      if (method === undefined) return [];
      const parts = [controller, handler as object].map((each) => Reflect.getMetadata('path', each) as string);
      return [`${RequestMethod[method]} ${posix.join('/', ...parts).replace(/(?<=.)\/$/, '')}`];
    }),
  ),
);
const assets = renderer.assets.map(({ path }) => path);

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}
const elementsOf = (html: string): Element[] =>
  [...html.matchAll(/<([a-z][a-z0-9]*)\b((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name = '', text = '']) => ({
    name,
    attributes: new Map([...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value])),
  }));
const valuesOf = (elements: readonly Element[], ...names: string[]): string[] =>
  elements.flatMap(({ attributes }) => names.flatMap((name) => attributes.get(name) ?? []));
const pathOf = (address: string): string => new URL(address.replaceAll('&amp;', '&'), bank).pathname;

const isNamed = ({ name, attributes }: Element): boolean =>
  name !== 'button' || !attributes.has('value') || attributes.has('name');
const mayBeEmpty = /^(?:alt|hidden|required|disabled|checked|autofocus|defer|novalidate|formnovalidate)$/;
const maySendNothing = ({ name, attributes }: Element): boolean =>
  name === 'option' || attributes.get('type') === 'text';

const isAnswered = (address: string): boolean =>
  /^\/(?!\/)/.test(address) && (assets.includes(pathOf(address)) || routes.has(`GET ${pathOf(address)}`));

/** @returns what is wrong with a page, whatever it says */
function faultsOf(html: string): string[] {
  const elements = elementsOf(html);
  const ids = valuesOf(elements, 'id');
  const targets = [
    ...valuesOf(elements, 'for', 'form', 'aria-labelledby', 'aria-describedby').flatMap((value) => value.split(' ')),
    ...valuesOf(elements, 'href').flatMap((value) => /^#(.*)/.exec(value)?.[1] ?? []),
  ];
  const forms = elements.filter(({ name }) => name === 'form');
  const posts = [...forms.map(({ attributes }) => attributes.get('action') ?? ''), ...valuesOf(elements, 'formaction')];
  const links = valuesOf(elements, 'href', 'data-status', 'data-own').filter((value) => !/^(?:#|data:)/.test(value));
  const controls = elements.filter(({ name }) => /^(?:input|select)$/.test(name));
  const labels = valuesOf(elements, 'for');
  return [
    ...ids.filter((value, place) => ids.indexOf(value) !== place).map((value) => `two elements have the id ${value}`),
    ...targets.filter((value) => !ids.includes(value)).map((value) => `nothing has the id ${value}`),
    ...posts.filter((path) => !routes.has(`POST ${path}`)).map((path) => `no form is taken at ${path}`),
    ...forms.filter(({ attributes }) => attributes.get('method') !== 'post').map(() => 'a form is not sent with POST'),
    ...links
      .filter((value) => !value.startsWith(`${bank}/`) && !isAnswered(value))
      .map((value) => `nothing is at ${value}`),
    ...elements.filter((each) => !isNamed(each)).map(() => 'a button has a value without a name'),
    ...controls.filter(({ attributes }) => !attributes.get('name')).map(() => 'a field has no name'),
    ...controls
      .filter(({ attributes }) => attributes.get('type') !== 'hidden' && !labels.includes(attributes.get('id') ?? ''))
      .map(({ attributes }) => `the field ${attributes.get('name')} has no label`),
    ...elements.flatMap((element) =>
      [...element.attributes]
        .filter(
          ([key, value]) => value === '' && !mayBeEmpty.test(key) && !(key === 'value' && maySendNothing(element)),
        )
        .map(([key]) => `<${element.name}> has an empty ${key}`),
    ),
    ...[...html.matchAll(/<(\w+)\b[^>]*>\s*<\/\1>/g)]
      .filter(([, name = '']) => !['td', 'script', 'div'].includes(name))
      .map(([text]) => `${text} has no text`),
    ...(/undefined|NaN|\[object/.exec(html) ?? []),
  ];
}

async function read(made: Made, language: Language): Promise<string> {
  const answer = await made;
  if (answer.kind !== 'page') throw new Error(`A redirect to ${answer.location}.`);
  return answer.page({ language });
}

/** What views have for other pages that are made from the same, or for the frame, the script and comparisons. */
const askerWithoutApp = ['orgName', 'registerNumber'];
const asker = ['clientName', 'onBehalfOfOrg', ...askerWithoutApp];
const unshown: readonly (readonly [page: RegExp, members: readonly string[]])[] = [
  [/./, ['ownAddress', 'statusAddress', 'order', 'purpose']],
  [/^the (?:sign-in|door)/, ['username', ...askerWithoutApp]],
  [/^the second factor|^the question why$/, asker],
  [/confirm funds$/, ['value']],
  [/ that was /, ['csrfToken', 'fileHash', 'payeesShown']],
  [/^lasting access$/, ['grant']],
  [/^the end of access$/, ['orgName', 'name', 'identification', 'givenOn', 'endsOn']],
  [/^sessions$/, ['sessionId']],
];
const isShown = (page: string, member: string): boolean =>
  !unshown.some(([pattern, members]) => pattern.test(page) && members.includes(member));

/** @returns the texts of a view, with their names */
function* leavesOf(view: unknown, name = ''): Generator<[name: string, text: string]> {
  if (typeof view === 'string') yield [name, view];
  if (typeof view !== 'object' || view === null) return;
  if (view instanceof Html) yield [name, String(view)];
  else for (const [member, value] of Object.entries(view)) yield* leavesOf(value, Number(member) >= 0 ? name : member);
}

const plain = (html: string): string =>
  html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll(/\s+/g, ' ');

describe.each(['en', 'cy'] as const)('every page (%s)', (language) => {
  it.each(Object.entries({ ...pages, ...overviews, ...last }))('%s is whole', async (name, make) => {
    const html = await read(make(), language);
    expect(faultsOf(html)).toEqual([]);
    const isAtOwnAddress = Object.hasOwn(pages, name);
    expect(/id="language" href="\/[^"]+"/.test(html)).toBe(isAtOwnAddress);
    if (html.includes('id="session-end"')) expect(html).toMatch(/href="[^"]+more-time[^"]*" id="more-time"/);
  });

  it.each(Object.entries({ ...pages, ...overviews, ...last }))('%s shows its whole view', async (page, make) => {
    const html = plain(await read(make(), language));
    const missing = [...leavesOf(renderer.view)].filter(
      ([name, text]) => isShown(page, name) && !Object.hasOwn(en, text) && (text === '' || !html.includes(plain(text))),
    );
    expect(missing).toEqual([]);
  });
});

it.each([
  ['payment', ['payments'], id, 'is asking you to pay from your account'],
  ['access', ['accounts'], id, look.wording.en.text('signIn.access', { client: '' })],
  ['funds', ['fundsconfirmations'], id, look.wording.en.text('signIn.funds', { client: '' })],
  ['identity', ['openid'], undefined, look.wording.en.text('signIn.identity', { client: '' })],
])('the sign-in says what the app asks for: %s', async (_purpose, scope, consentId, said) => {
  const page = new SignInPages(renderer).createSignInPage(journey('SignIn', { scope, consentId }));
  expect(textOf(await read(page, 'en'), 'main')).toContain(said.trim());
});

it.each([
  ['to read', toRead, 'Choose the accounts to share'],
  ['to confirm funds', toConfirm, 'Let them check that money is available?'],
])('access %s is asked for in its own words', async (_kind, about, title) => {
  expect(textOf(await read(access(about), 'en'), 'main')).toContain(title);
});

/** @returns which boxes of the accounts are ticked, where access was given to some before */
const ticked = async (all: object[], accounts: object[]): Promise<boolean[]> => {
  const about = { ...toRead, accounts };
  const open = journey('Consent', { access: about });
  const page = consents().createAccessPage({ open, access: about as never, accounts: all as never });
  const boxes = elementsOf(await read(page, 'en')).filter(({ attributes }) => attributes.get('type') === 'checkbox');
  return boxes.map(({ attributes }) => attributes.has('checked'));
};

it('of several accounts to share only those of the last time are ticked, and a single one always', async () => {
  expect(await ticked([currentAccount, savings], [])).toEqual([false, false]);
  expect(await ticked([currentAccount, savings], [shared])).toEqual([true, false]);
  expect(await ticked([savings], [])).toEqual([true]);
});

it('the largest payment comes first if asked, and equal ones stay in the order of the file', async () => {
  const payments = fileOf(4).payments.map((each, place) => ({
    ...each,
    amount: ['5.00', '9.00', '9.00', '10.00'][place]!,
  }));
  const placesIn = async (order: 'Place' | 'Amount'): Promise<string[]> => {
    const decidable = { file: { ...fileOf(4), payments }, accounts: [currentAccount] as never };
    const html = await read(consents().createPaymentPage({ open: journey('Consent'), decidable, order }), 'en');
    return [...html.matchAll(/id="payment-(\d)"/g)].map(([, place = '']) => place);
  };
  expect(await placesIn('Place')).toEqual(['1', '2', '3', '4']);
  expect(await placesIn('Amount')).toEqual(['4', '2', '3', '1']);
});

describe('a mistake', () => {
  it.each(Object.entries(mistakes))('%s is said, and leads to its place on the page', async (name, all) => {
    for (const make of all) {
      const html = await read(make(), 'en');
      expect(faultsOf(html)).toEqual([]);
      const { message } = formProblems[name as FormProblemName];
      expect(html).toContain(String(look.wording.en.html(message)));
    }
  });
});

it('every form sends what its handler reads', async () => {
  const sent: Record<string, Set<string>> = {};
  for (const make of Object.values({ ...pages, ...overviews })) {
    const html = await read(make(), 'en');
    for (const [form, action = ''] of html.matchAll(/<form method="post" action="([^"]+)"[^]*?<\/form>/g)) {
      const fields = elementsOf(form).filter(({ name }) => name !== 'form');
      sent[action] = new Set([...(sent[action] ?? []), ...valuesOf(fields, 'name')]);
    }
  }
  const fieldsOf = Object.entries(sent).map(([action, names]) => [action, [...names].toSorted().join(' ')]);
  expect(Object.fromEntries(fieldsOf)).toEqual({
    '/sign-in': 'authorization csrf_token password username',
    '/second-factor': 'authorization challenge csrf_token one_time_code',
    '/second-factor/again': 'authorization challenge csrf_token',
    // The account of payments, or the accounts of access; payments may be sorted on the way.
    '/consent': 'accounts authorization csrf_token debtor_account file_hash payees_shown shown_order',
    '/challenge': 'authorization challenge csrf_token one_time_code',
    '/challenge/again': 'authorization challenge csrf_token',
    '/decline': 'authorization challenge csrf_token decline_reason',
    '/approvals/sign-in': 'csrf_token password to username',
    '/approvals/second-factor': 'challenge csrf_token one_time_code to',
    '/approvals/second-factor/again': 'challenge csrf_token to',
    '/approvals/approve': 'csrf_token file_hash file_payment payees_shown',
    '/approvals/challenge': 'challenge csrf_token one_time_code',
    '/approvals/challenge/again': 'challenge csrf_token',
    '/approvals/decline': 'csrf_token decline_reason file_payment',
    '/approvals/withdraw': 'csrf_token grant',
    '/approvals/sessions/end': 'csrf_token session',
    '/approvals/sign-out': 'challenge csrf_token to',
  });
});
