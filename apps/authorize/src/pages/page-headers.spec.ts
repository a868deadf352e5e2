import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from './page-headers.js';
import { stylesheet } from './stylesheet.js';

describe('the headers of a page', () => {
  it.each([
    ['https://tpp.example.com/cb?x=1', "form-action 'self' https://tpp.example.com"],
    ['https://tpp.example.com:8443/cb', "form-action 'self' https://tpp.example.com:8443"],
    ['https://tpp.example.com;script-src/', "form-action 'self' https:"],
    ['com.example.tpp:/cb', "form-action 'self' com.example.tpp:"],
  ])('let a form lead to the TPP at %s and nowhere else', (redirectUri, expected) => {
    const policy = pageHeaders(redirectUri)['content-security-policy'] ?? '';
    expect(policy.slice(policy.indexOf('form-action'))).toBe(expected);
  });

  it('lets a page without a request lead nowhere', () => {
    expect(pageHeaders()['content-security-policy']).toMatch(/form-action 'self'$/);
  });
});

/** @returns the six hexadecimal digits of a colour of the style sheet */
const colour = (name: string): string => {
  const value = new RegExp(`--${name}:#([0-9a-f]{3,6})[;}]`).exec(stylesheet)?.[1] ?? '';
  return value.length === 3 ? value.replace(/./g, '$&$&') : value;
};

/** Relative luminance and contrast as WCAG 2.2 defines them. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('the colours of the pages (WCAG 2.2 s1.4.3, s1.4.11)', () => {
  it.each([
    ['ink', 'paper', 4.5],
    ['ink', 'back', 4.5],
    ['soft', 'paper', 4.5],
    ['soft', 'back', 4.5],
    ['brand', 'paper', 4.5],
    ['bad', 'paper', 4.5],
    ['edge', 'paper', 3],
  ])('%s on %s has a contrast of at least %s to 1', (one, other, least) => {
    expect(contrast(colour(one), colour(other))).toBeGreaterThanOrEqual(least);
  });
});
