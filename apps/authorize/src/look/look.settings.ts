import { format, group, setting, type ValuesOf } from '#libs/config';

const colour = format.matching(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0b3d66');

/** As set: createLook checks them. */
export const lookSettings = group('look', 'Look of the pages', {
  /** SVG */
  logo: setting('BANK_LOGO', "The bank's logo: an SVG of at most 64 kB (deploy/pages.md).", format.text, {
    optional: true,
    file: true,
  }),
  colour: setting(
    'BANK_COLOUR',
    'Colour of the header, buttons and links, as #rrggbb, with a contrast of 4.5 to 1 (deploy/pages.md).',
    colour,
    { default: '#0b3d66' },
  ),
  colourDark: setting(
    'BANK_COLOUR_DARK',
    'The same in the dark scheme. By default BANK_COLOUR, lightened until it is readable.',
    colour,
    { optional: true },
  ),
  helpLine: setting(
    'BANK_HELP_LINE',
    'Help for customers, on every page: `0345 600 0000, Monday to Friday, 8am to 6pm`.',
    format.matching(/^[^\p{Cc}<>]{1,120}$/u, 'must be one line of at most 120 characters'),
    { optional: true },
  ),
  helpUrl: setting('BANK_HELP_URL', "Address of the bank's help, on every page.", format.httpsUrl, { optional: true }),
  privacyUrl: setting('BANK_PRIVACY_URL', "Address of the bank's privacy notice, on every page.", format.httpsUrl, {
    optional: true,
  }),
  accessibilityUrl: setting(
    'BANK_ACCESSIBILITY_URL',
    "Address of the bank's accessibility statement, on every page.",
    format.httpsUrl,
    { optional: true },
  ),
  /** JSON */
  wordingEn: setting(
    'WORDING_EN',
    'A JSON object of English texts that replace the shipped ones (deploy/pages.md).',
    format.text,
    { optional: true, file: true },
  ),
  wordingCy: setting('WORDING_CY', 'The same for Welsh.', format.text, { optional: true, file: true }),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof lookSettings> {}
}
