import { format, type Format, group, made, setting, type ValuesOf } from '#libs/config';
import type { OwnTexts } from '../wording/wording.js';

/** Members of BANK_LOOK. */
interface Chosen {
  readonly colour?: string;
  readonly colourDark?: string;
  readonly helpLine?: string;
  readonly helpUrl?: string;
  readonly privacyUrl?: string;
  readonly accessibilityUrl?: string;
  /** texts that replace the shipped ones */
  readonly en?: OwnTexts;
  readonly cy?: OwnTexts;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMatch = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isColour = isMatch(/^#[0-9a-fA-F]{6}$/);
const isAddress = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && format.httpsUrl.parse(value) === value;
  } catch {
    return false;
  }
};
const rules: Readonly<Record<keyof Chosen, readonly [isGood: (value: unknown) => boolean, must: string]>> = {
  colour: [isColour, 'a colour such as #0b3d66'],
  colourDark: [isColour, 'a colour such as #0b3d66'],
  helpLine: [isMatch(/^[^\p{Cc}<>]{1,120}$/u), 'one line of at most 120 characters'],
  helpUrl: [isAddress, 'an https:// address'],
  privacyUrl: [isAddress, 'an https:// address'],
  accessibilityUrl: [isAddress, 'an https:// address'],
  en: [isObject, 'a JSON object of texts'],
  cy: [isObject, 'a JSON object of texts'],
};

const chosen: Format<Chosen> = {
  values: 'JSON',
  must: 'must be a JSON object',
  parse: (text) => {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : format.refuse();
  },
};

const look = setting(
  'BANK_LOOK',
  'Colours, help, links and texts of the pages: a JSON object (deploy/pages.md).',
  chosen,
  {
    default: '{}',
    file: true,
    check: (given) =>
      Object.entries(given).flatMap(([name, value]) => {
        if (!Object.hasOwn(rules, name)) return [`has no member ${name}`];
        const [isGood, must] = rules[name as keyof Chosen];
        return isGood(value) ? [] : [`: ${name} must be ${must}`];
      }),
  },
);
const member = <K extends keyof Chosen>(name: K) => made([look], (given) => given[name]);

/** As set: createLook checks them further. */
export const lookSettings = group('look', 'Look of the pages', {
  /** SVG */
  logo: setting('BANK_LOGO', "The bank's logo: an SVG of at most 64 kB (deploy/pages.md).", format.text, {
    optional: true,
    file: true,
  }),
  /** of the header, buttons and links */
  colour: made([look], ({ colour = '#0b3d66' }) => colour),
  /** undefined: the colour, lightened until it is readable */
  colourDark: member('colourDark'),
  helpLine: member('helpLine'),
  helpUrl: member('helpUrl'),
  privacyUrl: member('privacyUrl'),
  accessibilityUrl: member('accessibilityUrl'),
  en: member('en'),
  cy: member('cy'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof lookSettings> {}
}
