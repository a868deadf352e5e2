import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mix } from '../look/contrast.js';

/** The background of texts and links: in each scheme, the surface with the least contrast. */
export const surfaces = { light: '#eef2f6', dark: '#1b2530' };
const ink = { light: '#14202e', dark: '#0f161d' };

/**
 * Contrast of all text is at least 4.5 to 1, of controls 3 to 1; targets are at least 44 pixels high (WCAG 2.2 AA).
 * @param bank its colours, with that contrast (look/create-look.ts)
 */
export function createStylesheet({ colour, colourDark }: { colour: string; colourDark: string }): string {
  const light = `--brand:${colour};--brand-strong:${mix(colour, '#000000', 0.35)};--header:${colour}`;
  const dark = `--brand:${colourDark};--brand-strong:${mix(colourDark, '#ffffff', 0.35)}`;
  return `:root{color-scheme:light dark;${lightPalette};${light}}
@media screen and (prefers-color-scheme:dark){:root{${darkPalette};${dark}}}
${rules}`;
}

const lightPalette =
  `--ink:${ink.light};--soft:#4a5a6b;--line:#76859480;--edge:#66758a;--paper:#fff;--field:#fff;--chosen:#f4f8fc;` +
  `--back:${surfaces.light};--bad:#a8150f;--focus:#ffbf47;--shade:#14202e33;--on-brand:#fff`;

const darkPalette =
  `--ink:#e9eef3;--soft:#b3c0cd;--line:#8fa0b080;--edge:#8c9bab;--paper:${surfaces.dark};` +
  `--field:${ink.dark};--chosen:#16202a;--back:#121a22;--bad:#ffa39b;--focus:#ffbf47;` +
  `--shade:#00000080;--on-brand:${ink.dark}`;

const rules = readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8');
