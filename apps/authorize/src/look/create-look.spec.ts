import { describe, expect, it } from '@jest/globals';
import { surfaces } from '../pages/stylesheet.js';
import { contrastOf, lightenFor } from './contrast.js';
import { createLook } from './create-look.js';
import { findLogoFault } from './find-logo-fault.js';

const good = { colour: '#0b3d66' };
const svg = (content: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`;

describe('the look of the pages', () => {
  it('has the bank’s colours in both schemes', () => {
    const { content, path } = createLook('Bank', { colour: '#7a0019', colourDark: '#ffb3c1' }).stylesheet;
    expect(content).toContain('--brand:#7a0019;');
    expect(content).toContain('@media screen and (prefers-color-scheme:dark){:root{');
    expect(content).toContain('--brand:#ffb3c1;');
    expect(path).not.toBe(createLook('Bank', good).stylesheet.path);
  });

  it.each([
    ['#000000', '#ffffff', 21],
    ['#767676', '#ffffff', 4.54],
    ['#0000ff', '#ffffff', 8.59],
    ['#123456', '#123456', 1],
  ])('reckons the contrast of %s and %s as WCAG 2.2 does', (one, other, contrast) => {
    expect(contrastOf(one, other)).toBeCloseTo(contrast, 2);
    expect(contrastOf(other, one)).toBeCloseTo(contrast, 2);
  });

  it('makes a colour lighter for the dark scheme until it can be read', () => {
    for (const colour of ['#000000', '#0b3d66', '#7a0019', '#1b2530']) {
      const lighter = lightenFor(colour, surfaces.dark);
      expect(contrastOf(lighter, surfaces.dark)).toBeGreaterThanOrEqual(4.5);
      expect(createLook('Bank', { colour }).stylesheet.content).toContain(`--brand:${lighter};`);
    }
  });

  it.each([
    [{ colour: '#ffcc00' }, 'BANK_LOOK: colour (#ffcc00) has a contrast of 1.51 to 1 with #ffffff; it needs 4.5 to 1'],
    [{ colour: '#757575' }, 'BANK_LOOK: colour (#757575) has a contrast of 4.09 to 1 with #eef2f6; it needs 4.5 to 1'],
    [{ ...good, colourDark: '#0b3d66' }, 'BANK_LOOK: colourDark (#0b3d66) has a contrast of 1.38 to 1 with #1b2530'],
    [{ ...good, logo: svg('<script/>') }, 'BANK_LOGO has a script'],
    [{ ...good, cy: { 'signIn.payment': 'x' } }, 'BANK_LOOK: cy: signIn.payment leaves out {client}'],
  ])('%j: %s', (settings, problem) => {
    expect(() => createLook('Bank', settings)).toThrow(problem);
  });

  it('has contrasts that hold in its own palettes', () => {
    const { content } = createLook('Bank', good).stylesheet;
    const palettes = [...content.matchAll(/:root\{([^}]*)\}/g)].map(([, rules = '']) => valuesOf(rules));
    expect(palettes).toHaveLength(2);
    for (const palette of palettes) {
      for (const surface of ['--paper', '--back', '--field', '--chosen'].map((name) => palette.get(name) ?? '')) {
        for (const text of ['--ink', '--soft', '--bad', '--brand'])
          expect([text, surface, contrastOf(palette.get(text) ?? '', surface) >= 4.5]).toEqual([text, surface, true]);
        expect(contrastOf(palette.get('--edge') ?? '', surface)).toBeGreaterThanOrEqual(3);
      }
      for (const name of ['--brand', '--brand-strong'])
        expect(contrastOf(palette.get('--on-brand') ?? '', palette.get(name) ?? '')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** The colours of a palette, all as #rrggbb. */
function valuesOf(rules: string): Map<string, string> {
  const colours = [...rules.matchAll(/(--[\w-]+):(#[0-9a-f]{3,8})/g)];
  return new Map(
    colours.map(([, name = '', value = '']) => [name, value.length === 4 ? value.replace(/\w/g, '$&$&') : value]),
  );
}

describe('a logo', () => {
  it.each([
    svg('<path d="M0 0h9v9z" fill="#fff"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand --><!-- twice -->\n${svg('<title>Bank &amp; Sons</title>')}\n`,
    svg('<defs><linearGradient id="g"/><g id="m"/></defs><use href="#m" xlink:href="#m" fill="url(#g)"/>'),
    svg('<image href="data:image/png;base64,iVBORw0KGgo="/><style>.a{fill:url("#g")}</style>'),
  ])('may be %s', (logo) => {
    expect(findLogoFault(logo)).toBeUndefined();
  });

  it.each([
    ['<html></html>', 'is not an SVG'],
    ['<svg/><svg></svg>', 'is not an SVG'],
    [`<!DOCTYPE svg [<!ENTITY x "y">]>${svg('')}`, 'is not an SVG'],
    [svg('<!DOCTYPE x>'), 'has a document type'],
    [svg('<?xml-stylesheet href="x.css"?>'), 'has a processing instruction'],
    [svg('<SCRIPT>alert(1)</SCRIPT>'), 'has a script'],
    [svg('<svg:script/>'), 'has a script'],
    [svg('<foreignObject/>'), 'has a foreignObject'],
    [svg('<a href="#x"/>'), 'has an element that runs code or leads elsewhere'],
    [svg('<path onload="alert(1)"/>'), 'has an event handler'],
    [svg('<path/onclick = "alert(1)"/>'), 'has an event handler'],
    [svg('<image href="https://evil.example/x.png"/>'), 'refers to something outside it'],
    [svg('<use xlink:href=" https://evil.example/#x"/>'), 'refers to something outside it'],
    [svg('<use href=x.svg#a />'), 'refers to something outside it'],
    [svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'), 'refers to something outside it'],
    [svg('<path fill="url(https://evil.example/#g)"/>'), 'refers to something outside it'],
    [svg("<style>@import 'x.css';</style>"), 'refers to something outside it'],
    [svg('<use href="&#104;ttps://evil.example/"/>'), 'has a character reference'],
    [svg(`<path d="${'M0 0'.repeat(20_000)}"/>`), 'is larger than 65536 bytes'],
  ])('must not be %s', (logo, fault) => {
    expect(findLogoFault(logo)).toBe(fault);
  });
});
