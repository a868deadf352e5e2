import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../support/expectations.js';
import { findBrowser, launchShell, openContext, press } from '../../support/find-browser.js';
import { aPayment, anAccount, AuthorizeWorld, honestBank, intentClaims } from './authorize-world.js';

const executablePath = findBrowser();
if (executablePath === undefined) console.log('No fraud was looked for: no Chromium or Chrome was found.');
const describeInBrowser = executablePath === undefined ? describe.skip : describe;
const screenshots = process.env['SCREENSHOT_FOLDER'];

const sortCodeAccountNumber = 'UK.OBIE.SortCodeAccountNumber';
const payees = ['Ashworth Ltd', 'Bell & Daughters', 'Çelik Textiles', 'Dunmore Dairy', 'Elm Street Garage'];

/** A usual payment, to its own payee. */
function usual(place: number, values: object = {}): object {
  return aPayment({
    InstructionIdentification: `I${place}`,
    InstructedAmount: { Amount: `${380 + (place % 70)}.20`, Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: sortCodeAccountNumber,
      Identification: String(20_000_010_000_000 + place),
      Name: `${payees[place % payees.length]} ${place}`,
    },
    RemittanceInformation: { Reference: `INV-${1000 + place}` },
    ...values,
  });
}

const large = {
  InstructedAmount: { Amount: '98000.00', Currency: 'GBP' },
  CreditorAccount: { SchemeName: sortCodeAccountNumber, Identification: '20499990154321', Name: 'Quick Cash Ltd' },
};
const rollNumber = {
  CreditorAccount: {
    SchemeName: sortCodeAccountNumber,
    Identification: '20000010000120',
    Name: 'Town Building Society',
    SecondaryIdentification: '9999/MALLORY',
  },
};
/** 150 payments, of which three deserve a look. */
const fraudFile = Array.from({ length: 150 }, (_, place) => {
  if (place === 96) return usual(place, large);
  if (place === 120) return usual(place, rollNumber);
  return usual(place === 88 ? 12 : place, place === 88 ? { InstructionIdentification: 'I88' } : {});
});

/** 35 characters of a reference and 135 of a message in one word, as far as the standard lets them. */
const longTexts = [
  usual(0, {
    CreditorAccount: {
      SchemeName: sortCodeAccountNumber,
      Identification: '20000010000000',
      Name: 'No reference Ltd',
    },
    InstructedAmount: { Amount: '1234567890123.45', Currency: 'GBP' },
    RemittanceInformation: { Unstructured: 'W'.repeat(135) },
  }),
  ...Array.from({ length: 8 }, (_, place) => usual(place + 1)),
];

/** The smallest that is in use. */
const smallPhone = { width: 320, height: 568 };

/** What the tests read of an input: they have no types of the DOM. */
interface Field {
  disabled: boolean;
}

/** Says nothing about payees for the moment. The service would remember that a bank does not offer it. */
const awayForChecks = () => {
  const away = { status: 503, body: {} };
  return { ...honestBank(), payeeNames: away, knownPayees: away };
};

describeInBrowser('a file of payments in a browser without JavaScript', () => {
  const world = new AuthorizeWorld();
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    await world.start();
    browser = await launchShell();
  });

  afterAll(async () => {
    await browser?.close();
    await world.stop();
  });

  async function read(payments: object[], viewport: { width: number; height: number }, of = world): Promise<void> {
    const context = await openContext(browser, { javaScriptEnabled: false, viewport });
    page = await context.newPage();
    const consentId = await of.aConsent({ payments });
    await page.goto(`${of.origin}${await of.authorizePath({ claims: intentClaims(consentId) })}`);
    await page.fill('#username', 'alex');
    await page.fill('#password', 'correct horse');
    await press(page, '#sign-in');
    await page.waitForSelector('#consent-summary');
  }

  /** The page does not wait for a bank that is slow at the moment; loaded again, it has the answer. */
  async function untilChecked(): Promise<void> {
    await until(async () => {
      if ((await page.locator('.fact').allInnerTexts()).every((text) => !text.includes('could not'))) return true;
      await page.reload();
      return false;
    });
  }

  beforeEach(() => {
    world.bank = awayForChecks();
  });

  async function look(name: string): Promise<void> {
    if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}/${name}.png` });
  }

  /** Each finding is on the first screen, before anybody scrolls. */
  async function expectOnFirstScreen({ height, width }: { width: number; height: number }): Promise<void> {
    expect(await page.evaluate('[scrollY, innerWidth, innerHeight]')).toEqual([0, width, height]);
    const items = await page.locator('#standouts > li').all();
    expect(items).toHaveLength(3);
    for (const item of items) {
      const { x, y, width: wide, height: high } = (await item.boundingBox())!;
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect([wide, high].every((side) => side > 20)).toBe(true);
      expect(x + wide).toBeLessThanOrEqual(width);
      expect(y + high).toBeLessThanOrEqual(height);
    }
  }

  it('shows on the first screen of a phone the large payment, the duplicate and the roll number among 150', async () => {
    const viewport = smallPhone;
    await read(fraudFile, viewport);
    await look('fraud-file-phone');
    await expectOnFirstScreen(viewport);
    const items = await page.locator('#standouts > li').allInnerTexts();
    expect(items.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '£98,000.00 to Quick Cash Ltd Much larger than the others.',
      '£430.20 to Town Building Society Goes to roll number 9999/MALLORY.',
      '£392.20 to Çelik Textiles 12 Twice: same account, amount and reference (No. 13 and 89).',
    ]);
    await page.click('#standouts a >> nth=0');
    const row = await page.locator('#payment-97').boundingBox();
    expect(row?.y).toBeGreaterThan(0);
    expect(row?.y).toBeLessThan(viewport.height);
    await look('fraud-file-phone-row');
  });

  it('shows every blank, as the bank gets them: two references that differ look different', async () => {
    const references = ['INV 1', 'INV  1', ' INV 1'];
    const repeated = references.map((Reference) => usual(1, { RemittanceInformation: { Reference } }));
    await read(repeated, smallPhone);
    expect(await page.locator('td.reference bdi:first-of-type').allInnerTexts()).toEqual(references);
  });

  it('also says that the large one is new and in another name, and asks the bank once for all pages', async () => {
    const file = [usual(0, { RemittanceInformation: { Reference: 'ANOTHER FILE' } }), ...fraudFile.slice(1)];
    const results = file.map((_, place) => ({ match: place === 96 ? 'NoMatch' : 'Match' }));
    world.bank = {
      ...honestBank(),
      payeeNames: { status: 200, body: { results } },
      knownPayees: { status: 200, body: { known: file.map((_, place) => place !== 96) } },
    };
    const viewport = smallPhone;
    world.bodies.length = 0;
    await read(file, viewport);
    await untilChecked();
    await look('fraud-file-phone-checked');
    await expectOnFirstScreen(viewport);
    const items = await page.locator('#standouts > li').allInnerTexts();
    expect(items[0]?.replaceAll(/\s+/g, ' ')).toBe(
      '£98,000.00 to Quick Cash Ltd The name does not match the account. Much larger than the others. Never paid before.',
    );
    expect(await page.locator('.fact').innerText()).toContain('149 matched, 1 did not match');
    await press(page, '#sort');
    // Another consent to the same payments.
    await read(file, viewport);
    await untilChecked();
    expect(await page.locator('.fact').innerText()).toContain('149 matched, 1 did not match');
    const asked = world.bodies.filter(({ path }) => path.endsWith('/payee-name-checks'));
    expect(asked).toHaveLength(1);
    const { payees } = asked[0]!.body as { payees: object[] };
    expect(payees[120]).toEqual({
      name: 'Town Building Society',
      schemeName: sortCodeAccountNumber,
      identification: '20000010000120',
      secondaryIdentification: '9999/MALLORY',
    });
  });

  it.each([
    ['never answers', undefined],
    ['is away', { status: 503, body: {} }],
    ['answers about other payees', { status: 200, body: { results: [{ match: 'Match' }], known: [true] } }],
    ['answers nonsense', { status: 200, body: { results: {}, known: 'all' } }],
  ])('is shown and approved when the check of payees %s', async (_title, answer) => {
    world.bank = { ...honestBank(), payeeNames: answer, knownPayees: answer };
    const payments = [usual(1, { RemittanceInformation: { Reference: _title.slice(0, 18) } }), usual(2)];
    await read(payments, { width: 768, height: 900 });
    expect(await page.locator('.fact').allInnerTexts()).toEqual([
      expect.stringContaining('We could not check the names'),
      expect.stringContaining('We could not find out which payees'),
      'Check again',
    ]);
    world.bank = awayForChecks();
    await page.check('input[name=debtor_account] >> nth=0');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
  });

  it('leaves out what the bank does not offer, and does not ask for it each time', async () => {
    const unoffered = new AuthorizeWorld();
    await unoffered.start();
    try {
      for (const reference of ['ONE', 'TWO']) {
        const payments = [usual(1, { RemittanceInformation: { Reference: reference } })];
        await read(payments, { width: 768, height: 900 }, unoffered);
        expect(await page.locator('.look-first').count()).toBe(0);
      }
      expect(unoffered.calls.filter((call) => /payee/.test(call))).toHaveLength(2);
    } finally {
      await unoffered.stop();
    }
  });

  it('offers no account that cannot pay, and says why', async () => {
    const body = {
      accounts: [
        anAccount({ identification: '20040512345678', name: 'Current' }),
        anAccount({ identification: '20040511112222', name: 'Frozen', unusable: 'Blocked' }),
        anAccount({ identification: '20040511113333', name: 'Trust', unusable: 'NoPermission' }),
        anAccount({ identification: '20040511114444', name: 'Empty', unusable: 'InsufficientFunds' }),
      ],
    };
    world.bank = { ...awayForChecks(), accounts: { status: 200, body } };
    await read([usual(1)], { width: 320, height: 900 });
    const radios = page.locator('input[name=debtor_account]');
    expect(await radios.evaluateAll((all) => all.map((one) => (one as unknown as Field).disabled))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const reasons = await page.locator('.choice.unusable .note').allInnerTexts();
    expect(reasons).toEqual([
      'You cannot pay from this account because it is blocked.',
      'You do not have permission to pay from this account.',
      'There is not enough money in this account for this request.',
    ]);
    await look('unusable-accounts');
    // Whoever forges the form is refused.
    await page.locator('#debtor-account-1').evaluate((one) => Object.assign(one, { disabled: false }));
    await page.check('#debtor-account-1');
    await page.click('#approve');
    expect(await page.locator('#error-code').innerText()).toBe('DebtorAccountUnusable');
    expect(world.calls.at(-1)).not.toContain('challenges');
    body.accounts.splice(0, 1);
    await read([usual(1)], { width: 320, height: 900 });
    expect([await page.locator('#approve').count(), await page.locator('#decline').count()]).toEqual([0, 1]);
    expect(await page.locator('#no-account').innerText()).toContain('none of your accounts can pay it');
  });

  it('sorts by amount and back, keeps the chosen account, and approves the same payments', async () => {
    await read(fraudFile, { width: 768, height: 900 });
    const first = () => page.locator('.payments tbody tr').first().innerText();
    expect(await first()).toContain('£380.20');
    await page.check('input[name=debtor_account] >> nth=2');
    await press(page, '#sort');
    expect(await first()).toContain('£98,000.00');
    expect(await first()).toContain('97');
    expect(new URL(page.url()).searchParams.get('order')).toBe('Amount');
    expect(page.url()).not.toContain('20040511112222');
    expect(await page.locator('input[name=debtor_account] >> nth=2').isChecked()).toBe(true);
    await look('fraud-file-by-amount');
    await press(page, '#sort');
    expect(await first()).toContain('£380.20');
    await press(page, '#sort');
    await page.click('#approve');
    await page.waitForSelector('#one-time-code');
    const { body } = world.bodies.findLast(({ path }) => path.endsWith('/challenges')) ?? {};
    expect(body).toMatchObject({ numberOfPayments: 150, debtorAccount: { identification: '20040511112222' } });
  });

  it('breaks no name inside a word and no amount at all, whatever the other texts are', async () => {
    for (const width of [320, 768, 1_440]) {
      await read(longTexts, { width, height: 900 });
      await look(`long-texts-${width}`);
      const name = page.locator('.payments tbody th bdi').first();
      // Each word of the name is on one line.
      const lines = await name.evaluate((element) => {
        const text = element.firstChild!;
        return [...(text.textContent ?? '').matchAll(/\S+/g)].map((word) => {
          const range = element.ownerDocument.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          return range.getClientRects().length;
        });
      });
      expect({ width, lines }).toEqual({ width, lines: [1, 1, 1] });
      for (const money of ['.amount', '.payments tbody .number', '#approve .money']) {
        const rects = await page
          .locator(money)
          .first()
          .evaluate((element) => {
            const range = element.ownerDocument.createRange();
            range.selectNodeContents(element);
            const { right } = range.getBoundingClientRect();
            return { lines: range.getClientRects().length, right };
          });
        expect({ width, money, lines: rects.lines }).toEqual({ width, money, lines: 1 });
        expect(rects.right).toBeLessThanOrEqual(width);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });
});
