import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from '#libs/config';
import { createStylesheet, surfaces } from '../pages/stylesheet.js';
import type { Language } from '../wording/languages.js';
import { createWording, findWordingFaults, type OwnTexts, type Wording } from '../wording/wording.js';
import { contrastOf, leastContrast, lightenFor } from './contrast.js';
import { findLogoFault } from './find-logo-fault.js';

/** A file that the pages load. Its address changes with its content, so browsers may cache it permanently. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** The look and wording of this bank's pages. */
export interface Look {
  readonly bankName: string;
  readonly wording: Wording;
  readonly stylesheet: Asset;
  readonly script: Asset;
  readonly logo?: Asset | undefined;
  readonly helpLine?: string | undefined;
  readonly helpUrl?: string | undefined;
  readonly privacyUrl?: string | undefined;
  readonly accessibilityUrl?: string | undefined;
}

const waitScript = readFileSync(join(import.meta.dirname, '../pages/wait.js'), 'utf8');

/**
 * @param settings as they were set
 * @throws ConfigError that names each invalid setting
 */
export function createLook(bankName: string, settings: Config['look']): Look {
  const { logo, colour, colourDark, helpLine, helpUrl, privacyUrl, accessibilityUrl, en, cy } = settings;
  const problems = [...findTextFaults('en', en), ...findTextFaults('cy', cy)];
  const logoFault = logo === undefined ? undefined : findLogoFault(logo);
  if (logoFault !== undefined) problems.push(`BANK_LOGO ${logoFault}`);
  problems.push(...findColourFaults(colour, colourDark));
  if (problems.length > 0) throw new ConfigError(problems);
  const dark = colourDark ?? lightenFor(colour, surfaces.dark);
  return {
    bankName,
    wording: createWording({ ...(en && { en }), ...(cy && { cy }) }),
    stylesheet: createAsset('css', 'text/css; charset=utf-8', createStylesheet({ colour, colourDark: dark })),
    script: createAsset('js', 'text/javascript; charset=utf-8', waitScript),
    logo: logo === undefined ? undefined : createAsset('svg', 'image/svg+xml', logo),
    helpLine,
    helpUrl,
    privacyUrl,
    accessibilityUrl,
  };
}

function createAsset(ending: string, type: string, content: string): Asset {
  // @cryptography SHA-256 | none | names of style sheets and scripts in the pages
  return { path: `/assets/${hash('sha256', content, 'base64url').slice(0, 16)}.${ending}`, type, content };
}

/** Checks white on the colour, and the colour on grey, which has less contrast than white. */
function findColourFaults(colour: string, colourDark: string | undefined): string[] {
  return [
    describeContrast('colour', colour, '#ffffff'),
    describeContrast('colour', colour, surfaces.light),
    ...(colourDark === undefined ? [] : [describeContrast('colourDark', colourDark, surfaces.dark)]),
  ].filter((fault) => fault !== undefined);
}

function describeContrast(name: string, colour: string, other: string): string | undefined {
  const contrast = contrastOf(colour, other);
  if (contrast >= leastContrast) return undefined;
  // Cut, not rounded: 4.4999 is not 4.5.
  const shown = Math.floor(contrast * 100) / 100;
  return (
    `BANK_LOOK: ${name} (${colour}) has a contrast of ${shown} to 1 with ${other}; it needs ${leastContrast} to 1 ` +
    '(WCAG 2.2, 1.4.3)'
  );
}

function findTextFaults(language: Language, own: OwnTexts = {}): string[] {
  return findWordingFaults(language, own).map((fault) => `BANK_LOOK: ${language}: ${fault}`);
}
