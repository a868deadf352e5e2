import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { findBrowser, launchBrowser, openContext, press } from '../../support/find-browser.js';
import { AccessClient } from '../account-access/access-client.js';
import type { FapiClient } from '../../support/a-client.js';
import { DomesticTpp } from '../domestic-payments/domestic-world.js';
import { FundsClient, payroll } from '../funds-confirmation/funds-client.js';
import { FapiWorld, intentClaims } from './fapi-world.js';
import { alice } from '../../support/page-browser.js';
import { aLastingApproval, anAddress, aSharedPayment } from './staged-journeys.js';
import { runAxe } from '../../support/run-axe.js';

/** One way to look at a page. */
interface View {
  readonly name: string;
  readonly width: number;
  readonly height?: number;
  /** only what fits into a zoomed window of 1280 by 900 pixels is taken */
  readonly isWindow?: true;
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly style?: string;
}

/** WCAG 2.2, 1.4.12 */
const textSpacing =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}';

const views: readonly View[] = [
  { name: '320', width: 320 },
  { name: '768', width: 768 },
  { name: '1440', width: 1_440 },
  { name: 'zoom-200', width: 640, height: 450, isWindow: true },
  { name: 'zoom-400', width: 320, height: 225, isWindow: true },
  { name: 'text-200', width: 768, style: 'html{font-size:200%!important}' },
  { name: 'text-200-phone', width: 320, style: 'html{font-size:200%!important}' },
  { name: 'text-spacing', width: 320, style: textSpacing },
  { name: 'forced-colours', width: 768, media: { forcedColors: 'active' } },
  { name: 'dark', width: 768, media: { colorScheme: 'dark' } },
  { name: 'print', width: 768, media: { media: 'print' } },
];

/** Takes a picture of a page in every view. @returns what is wrong in any of them */
async function lookAtPage(page: Page, name: string, folder: string): Promise<string[]> {
  const faults: string[] = [];
  for (const view of views.filter(({ name }) => isWanted(name))) {
    const { width, height = 900, isWindow = false, media = {}, style = ':root{}' } = view;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, ...media });
    const added = await page.addStyleTag({ content: style });
    await page.evaluate('document.activeElement?.blur(); window.scrollTo(0, 0)');
    // The pictures of all pages in one view stand together. Wait until the colours have changed from one scheme to the
    // next.
    await page.screenshot({ path: `${folder}/${view.name}-${name}.png`, fullPage: !isWindow, animations: 'disabled' });
    const seen = [await sideways(page, width), await brokenWords(page), await tooLow(page)];
    const found = [...seen.flat(), ...(await runAxe(page)).violations];
    faults.push(...found.map((fault) => `${name} at ${view.name}: ${fault}`));
    await added.evaluate((element) => (element as unknown as { remove(): void }).remove());
  }
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  return faults;
}

/** No horizontal scrolling (WCAG 1.4.10), and no amount is broken. */
async function sideways(page: Page, width: number): Promise<string[]> {
  const scrollWidth = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const broken = await page.locator('.amount, .money, .number').evaluateAll((all) =>
    all.flatMap((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
        ? [element.textContent ?? '']
        : [];
    }),
  );
  return [
    ...(scrollWidth > width ? [`is ${scrollWidth} pixels wide`] : []),
    ...broken.map((amount) => `${amount} is broken`),
  ];
}

/** Words that begin on one line and end on another, except those that no line has room for. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator('body').evaluate((body) => {
    const { ownerDocument: document } = body;
    const range = document.createRange();
    const found: string[] = [];
    const nodes = document.createTreeWalker(body, 4);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      if (node.parentElement?.closest('.visually-hidden, thead, style') !== null) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(
        /(?<![\p{L}\p{N}])[\p{L}\p{M}\p{N}]{2,30}(?![\p{L}\p{N}])/gu,
      )) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found.map((word) => `${word} is broken`);
  });
}

/** What a finger presses is at least 44 pixels high (WCAG 2.2, 2.5.5); links in a text are not. */
function tooLow(page: Page): Promise<string[]> {
  return page.locator('button, summary, .button, select').evaluateAll((all) =>
    all
      .map((element) => ({ element, height: element.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 44)
      .map(({ element, height }) => `${element.textContent} is ${height} pixels high`),
  );
}

/** @returns whether to take pictures of a view: if no views are named, or this one is */
function isWanted(view: string): boolean {
  const wanted = process.env['PAGES_VIEWS'] ?? '';
  return wanted === '' || wanted.split(',').includes(view);
}

// npm run pages runs this, so that a person can look through the pages. It also checks what a machine can tell.
const folder = process.env['PAGES_FOLDER'] ?? '';
const describePages = folder === '' || findBrowser() === undefined ? describe.skip : describe;

const payee = (number: string, Name: string, more: object = {}) => ({
  CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: `200001${number}`, Name, ...more },
});
const amount = (Amount: string) => ({ InstructedAmount: { Amount, Currency: 'GBP' } });

/** Everything that a page can say of a payment, and texts that are as long as the standard lets them be. */
const specials: Readonly<Record<number, object>> = {
  3: { ...payee('10000003', 'No reference Ltd'), RemittanceInformation: { Unstructured: 'W'.repeat(135) } },
  5: { ...payee('10000004', 'Ashworth Ltd'), ...amount('380.20'), RemittanceInformation: { Reference: 'INV-77' } },
  9: payee('66200001', 'Bell & Daughters Ltd'),
  12: { ...payee('10000005', 'Town Building Society', { SecondaryIdentification: '9999/MALLORY' }) },
  20: payee('66300001', 'Çelik Textiles'),
  30: {
    ...payee('10000006', 'Dunmore Dairy'),
    CreditorPostalAddress: { AddressLine: ['1 High Street'], PostCode: 'AB1 2CD' },
  },
  88: { ...payee('10000004', 'Ashworth Ltd'), ...amount('380.20'), RemittanceInformation: { Reference: 'INV-77' } },
  96: { ...payee('66500001', 'Quick Cash Ltd'), ...amount('98000.00') },
};
const aFile = (payments: number) =>
  aPaymentFile({
    payments,
    item: (place) => ({ ...payee(String(20_000_000 + place), `Supplier ${place} Ltd`), ...specials[place] }),
  });

const permissions = [
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadBeneficiariesBasic',
  'ReadDirectDebits',
  'ReadParty',
  'ReadTransactionsDetail',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
];
const in90Days = new Date(Date.now() + 90 * 86_400_000).toISOString();

const isOfTpp = ({ hostname }: URL): boolean => hostname.endsWith('.example.com');

async function signIn(page: Page, url: string, customer: string, code?: string): Promise<void> {
  await page.goto(url);
  await page.fill('#username', customer);
  await page.fill('#password', `${customer}-password`);
  await page.click('#sign-in');
  if (code === undefined) return;
  await page.fill('#one-time-code', code);
  await page.click('#continue');
}

describePages.each(['en', 'cy'])('every page in %s, looked at', (language) => {
  const world = new FapiWorld();
  const faults: string[] = [];
  let client: FapiClient;
  let browser: Browser;
  const origin = (): string => new URL(client.provider.authorization_endpoint).origin;

  beforeAll(async () => {
    await world.start();
    client = await world.client({ method: 'tls_client_auth', name: 'Payroll' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await world.stop();
  });

  async function open(javaScriptEnabled = true): Promise<Page> {
    const context = await openContext(browser, { javaScriptEnabled, bypassCSP: true });
    if (language === 'cy')
      await context.addCookies([
        { name: '__Host-language', value: 'cy', domain: new URL(origin()).hostname, path: '/', secure: true },
      ]);
    await context.route(isOfTpp, (route) => route.fulfill({ status: 200, body: 'back at the TPP' }));
    return context.newPage();
  }

  const look = async (page: Page, name: string): Promise<void> => {
    faults.push(...(await lookAtPage(page, language === 'en' ? name : `${name}-${language}`, folder)));
  };

  it('on the way from the sign-in to the TPP', async () => {
    const page = await open();
    await page.goto(await anAddress(world, client, aFile(150)));
    await look(page, 'sign-in');
    await page.click('#sign-in');
    await page.waitForSelector('#error');
    await look(page, 'sign-in-problem');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'alice-password');
    await page.click('#sign-in');
    await page.waitForSelector('#consent-summary');
    await look(page, 'file');
    await page.click('#sort');
    await page.waitForURL(/order=Amount/);
    await page.evaluate('document.querySelector("#approval").noValidate = true');
    await page.click('#approve');
    await page.waitForSelector('#error');
    await look(page, 'file-by-amount-problem');
    await page.check('#debtor-account-1');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await look(page, 'challenge-code');
    await page.fill('#one-time-code', '000000');
    await page.click('#continue');
    await page.waitForSelector('#error');
    await look(page, 'challenge-problem');
    const moreTime = page.context().waitForEvent('page');
    await page.click('#more-time');
    await look(await moreTime, 'more-time');
  });

  it('of customers who have approved or ran out of time', async () => {
    const page = await open();
    await signIn(page, await anAddress(world, client, aFile(1)), 'alice');
    await page.waitForSelector('#consent-summary');
    const sessions = world.sandbox.database;
    const consent = page.url();
    await page.check('[name=debtor_account] >> nth=0');
    await page.click('#approve');
    await page.fill('#one-time-code', '111111');
    await page.click('#continue');
    await page.waitForURL(isOfTpp);
    await page.goto(consent);
    await page.waitForSelector('#outcome');
    await look(page, 'end-approved');
    const late = await open();
    await late.goto(await anAddress(world, client, aFile(1)));
    const id = new URL(await late.locator('#more-time').evaluate((link) => String(Reflect.get(link, 'href'))));
    await sessions.query(
      "UPDATE authorization_sessions SET expires_at = now() - interval '1 second' WHERE authorization_session_id = $1",
      [id.searchParams.get('authorization')],
    );
    await late.click('#sign-in');
    await late.waitForSelector('#outcome');
    await look(late, 'end-expired');
  });

  it('with an app, with accounts that cannot pay, with one payment, for access', async () => {
    const page = await open();
    await signIn(page, await anAddress(world, client, aFile(2)), 'erin');
    await page.waitForSelector('#consent-summary');
    await page.check('[name=debtor_account] >> nth=0');
    await page.click('#approve');
    await page.waitForSelector('#waiting');
    await look(page, 'challenge-app');
    const other = await open();
    await signIn(other, await anAddress(world, client, aFile(1)), 'dave');
    await other.waitForSelector('#consent-summary');
    await look(other, 'accounts-that-cannot-pay');
    const access = await open();
    await signIn(access, client.authorizationUrl(client.requestObject({ scope: 'openid accounts' })), 'alice');
    await access.waitForSelector('#approve');
    await look(access, 'access');
  });

  it('of further approvers, of what lasts, and of what went wrong', async () => {
    const filePaymentId = await aSharedPayment(world, client, aFile(97));
    await aLastingApproval(world);
    const page = await open();
    await page.goto(`${origin()}/approvals`);
    await look(page, 'approvals-sign-in');
    await signIn(page, `${origin()}/approvals`, 'carol');
    await page.waitForSelector('#one-time-code');
    await look(page, 'approvals-second-factor');
    await page.fill('#one-time-code', '333333');
    await page.click('#continue');
    await page.waitForSelector('.card');
    await look(page, 'approvals-list');
    await page.click(`a[href$="${filePaymentId}"]`);
    await page.waitForSelector('#consent-summary');
    await look(page, 'approvals-file');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await look(page, 'approvals-challenge');
    await page.click('#read-again');
    await page.click('#decline');
    await look(page, 'approvals-decline');
    await page.selectOption('#decline-reason', 'WrongDetails');
    await page.click('#decline');
    await page.waitForSelector('#outcome');
    await look(page, 'approvals-outcome');
    const alice = await open();
    await signIn(alice, `${origin()}/approvals`, 'alice', '111111');
    await alice.click('#access');
    await alice.waitForSelector('#withdraw-0');
    await look(alice, 'what-lasts');
    await alice.click('#withdraw-0');
    await alice.waitForSelector('#withdraw');
    await look(alice, 'what-lasts-confirm');
    await alice.goto(`${origin()}/approvals/sessions`);
    await look(alice, 'sessions');
    await page.goto(`${origin()}/approvals/decided`);
    await look(page, 'decided');
    await alice.goto(`${origin()}/oauth2/authorize?client_id=nobody`);
    await look(alice, 'error');
  });

  it('of account access, given, declined as a fraud, and ended', async () => {
    const access = await AccessClient.of(client, '4.0');
    const stage = async (): Promise<string> => {
      const dates = { ExpirationDateTime: in90Days, TransactionFromDateTime: '2026-01-01T00:00:00+00:00' };
      const consentId = await access.stage({ Permissions: permissions, ...dates });
      const claims = intentClaims(consentId);
      return client.authorizationUrl(client.requestObject({ scope: 'openid accounts', claims }));
    };
    const page = await open();
    await signIn(page, await stage(), 'alice');
    await page.waitForSelector('#consent-summary');
    await look(page, 'account-access');
    await page.click('#approve');
    await page.waitForSelector('#error');
    await look(page, 'account-access-problem');
    await page.check('#accounts-0');
    await page.check('#accounts-2');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await look(page, 'account-access-challenge');
    await page.fill('#one-time-code', '111111');
    await page.click('#continue');
    await page.waitForURL(isOfTpp);
    const fraud = await open();
    await signIn(fraud, await stage(), 'alice');
    await fraud.click('#decline');
    await look(fraud, 'decline');
    await fraud.selectOption('#decline-reason', 'SuspectedFraud');
    await fraud.click('#decline');
    await fraud.waitForSelector('#outcome');
    await look(fraud, 'end-fraud');
    const overview = await open();
    await signIn(overview, `${origin()}/approvals`, 'alice', '111111');
    await overview.waitForSelector('#access');
    await look(overview, 'approvals-nothing-waiting');
    await overview.click('#access');
    await overview.click('#withdraw-0');
    await overview.click('#withdraw');
    await overview.waitForSelector('.ended');
    await look(overview, 'what-lasts-ended');
    await overview.goto(`${origin()}/approvals/decided`);
    await look(overview, 'decided-alone');
    await overview.goto(`${origin()}/approvals/sessions`);
    await look(overview, 'sessions-several');
  });

  it('of an agent’s checks that money is available, and of a single payment', async () => {
    const principal = 'UPDATE clients SET on_behalf_of_org = $2 WHERE client_id = $1';
    await world.sandbox.database.query(principal, [client.clientId, 'Corner Shop']);
    const funds = await FundsClient.of(client, '4.0', 'fundsconfirmations');
    const [asked, given] = [await funds.stage({ ExpirationDateTime: in90Days }), await funds.stage()];
    const token = (await funds.agree(given, alice))['access_token'];
    await funds.ask(token, { ConsentId: given });
    await funds.ask(token, { ConsentId: given, ...amount('987654321.00') });
    const page = await open();
    const claims = intentClaims(asked);
    await signIn(
      page,
      client.authorizationUrl(client.requestObject({ scope: 'openid fundsconfirmations', claims })),
      'alice',
    );
    await page.waitForSelector('#consent-summary');
    await look(page, 'funds');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await look(page, 'funds-challenge');
    const overview = await open();
    await signIn(overview, `${origin()}/approvals`, 'alice', '111111');
    await overview.goto(`${origin()}/approvals/access`);
    await look(overview, 'what-lasts-funds');
    await overview.goto(`${origin()}/approvals/access/funds?consent=${given}`);
    await overview.waitForSelector('#questions');
    await look(overview, 'funds-history');
    const tpp = new DomesticTpp({ ...(await world.asTpp(client)), version: '4.0' });
    const consentId = await tpp.stage({}, { data: { ReadRefundAccount: 'Yes' } });
    const single = await open();
    await signIn(single, client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) })), 'bob');
    await single.waitForSelector('#consent-summary');
    await look(single, 'single');
    await single.check('[name=debtor_account] >> nth=0');
    await single.click('#approve');
    await single.waitForSelector('#one-time-code');
    await look(single, 'single-challenge');
    await world.sandbox.database.query(principal, [client.clientId, null]);
  });

  (language === 'en' ? it : it.skip)('of the bank’s app, which speaks English only', async () => {
    const url = world.sandbox.description.bank_app?.url ?? '';
    const ask = async (address: string, account?: string): Promise<void> => {
      const page = await open();
      await signIn(page, address, 'erin');
      await page.waitForSelector('#consent-summary');
      if (account !== undefined) await page.check(account);
      await page.click('#approve');
      await page.waitForSelector('#waiting');
    };
    const addressOf = (scope: string, consentId: string): string =>
      client.authorizationUrl(client.requestObject({ scope: `openid ${scope}`, claims: intentClaims(consentId) }));
    const tpp = new DomesticTpp({ ...(await world.asTpp(client)), version: '4.0' });
    const access = await AccessClient.of(client, '4.0');
    const funds = await FundsClient.of(client, '4.0', 'fundsconfirmations');
    await signIn(await open(), `${origin()}/approvals`, 'erin');
    await ask(client.authorizationUrl(client.requestObject({ scope: 'openid accounts' })));
    const debtor = { DebtorAccount: { ...payroll, Identification: '20000166778899' } };
    await ask(addressOf('fundsconfirmations', await funds.stage({ ExpirationDateTime: in90Days, ...debtor })));
    await ask(addressOf('accounts', await access.stage({ Permissions: permissions })), '#accounts-0');
    await ask(await anAddress(world, client, aFile(97)), '#debtor-account-0');
    await ask(addressOf('payments', await tpp.stage()), '#debtor-account-0');
    const app = await open();
    // The page would reload itself while somebody looks.
    await app.route(`${url}/**`, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      const { refresh: _refresh, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await app.goto(url);
    await app.waitForSelector('#challenge-5');
    await look(app, 'bank-app');
    while ((await app.locator('#refuse').count()) > 0) await press(app, '#refuse');
    await look(app, 'bank-app-nothing-waiting');
  });

  it('of a customer who is locked', async () => {
    const page = await open();
    await page.goto(await anAddress(world, client, aFile(1)));
    while ((await page.locator('#username').count()) > 0) {
      await page.fill('#username', 'dave');
      await page.fill('#password', 'not-it');
      await page.click('#sign-in');
      await page.waitForSelector('#error', { state: 'attached' });
    }
    await look(page, 'end-locked');
  });

  it('without script', async () => {
    const page = await open(false);
    await signIn(page, await anAddress(world, client, aFile(150)), 'alice');
    await page.waitForSelector('#consent-summary');
    await page.screenshot({ path: `${folder}/no-script-file-${language}.png`, fullPage: true });
    await page.check('[name=debtor_account] >> nth=0');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    await page.screenshot({ path: `${folder}/no-script-challenge-${language}.png`, fullPage: true });
    await page.fill('#one-time-code', '111111');
    await page.click('#continue');
    await page.waitForURL(isOfTpp);
  });

  it('has nothing wrong that a machine can tell', () => {
    expect(faults).toEqual([]);
  });
});
