import { describe, expect, it } from '@jest/globals';
import { prefersHtml } from './prefers-html.js';

describe('the media type of a token response (RFC 9110 s12.5.1)', () => {
  it.each([
    ['text/html', true],
    ['text/html, */*;q=0.8', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json;q=0.5, text/html', true],
    ['TEXT/HTML', true],
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/html;q=0.9', false],
    ['application/json, text/html', false],
    ['text/html;q=0', false],
    ['text/html;q=0, */*', false],
    ['application/json, text/plain, */*', false],
    ['image/png', false],
    ['html', false],
    [';;;,,,html', false],
  ])('Accept %j prefers text/html: %s', (accept, expected) => {
    expect(prefersHtml(accept)).toBe(expected);
  });

  it('is JSON if Accept has thousands of characters', () => {
    expect(prefersHtml(`text/html${','.repeat(2_000)}`)).toBe(true);
    expect(prefersHtml(`text/html${','.repeat(15_000)}`)).toBe(false);
  });
});
