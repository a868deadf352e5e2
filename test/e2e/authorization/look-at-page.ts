import type { Page } from 'playwright-core';
import { runAxe } from '../../support/run-axe.js';

/** One way to look at a page. */
interface View {
  readonly name: string;
  readonly width: number;
  readonly height?: number;
  /** of a zoomed window of 1280 by 900 pixels only what fits in it is taken */
  readonly isWindow?: true;
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly style?: string;
  readonly isChecked?: true;
}

/** WCAG 2.2, 1.4.12 */
const textSpacing =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}';

const views: readonly View[] = [
  { name: '320', width: 320, isChecked: true },
  { name: '768', width: 768, isChecked: true },
  { name: '1440', width: 1_440, isChecked: true },
  { name: 'zoom-200', width: 640, height: 450, isWindow: true },
  { name: 'zoom-400', width: 320, height: 225, isWindow: true },
  { name: 'text-200', width: 768, style: 'html{font-size:200%!important}' },
  { name: 'text-200-phone', width: 320, style: 'html{font-size:200%!important}' },
  { name: 'text-spacing', width: 320, style: textSpacing },
  { name: 'forced-colours', width: 768, media: { forcedColors: 'active' } },
  { name: 'dark', width: 768, media: { colorScheme: 'dark' }, isChecked: true },
  { name: 'print', width: 768, media: { media: 'print' } },
];

/** Takes a picture of a page in every view. @returns what is wrong in any of them */
export async function lookAtPage(page: Page, name: string, folder: string): Promise<string[]> {
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
    const found = [...(await sideways(page, width)), ...(await tooLow(page))];
    if (view.isChecked === true) found.push(...(await runAxe(page)).violations);
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

/** What a finger presses is at least 44 pixels high (WCAG 2.2, 2.5.5); links in a text are not. */
function tooLow(page: Page): Promise<string[]> {
  return page.locator('button, summary, .button, select').evaluateAll((all) =>
    all
      .map((element) => ({ element, height: element.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 44)
      .map(({ element, height }) => `${element.textContent} is ${height} pixels high`),
  );
}

/** @returns whether to take pictures of a view: of all, unless some are named */
function isWanted(view: string): boolean {
  const wanted = process.env['PAGES_VIEWS'] ?? '';
  return wanted === '' || wanted.split(',').includes(view);
}
