import { describe, expect, it } from '@jest/globals';
import { describeTextFault, hiddenCharacter, isText } from './text.js';

describe('a text that people read', () => {
  it.each<[string, string]>([
    ['a Latin name', 'Zo\u00eb O\u2019Neill-M\u00fcller'],
    ['a decomposed accent', 'Zoe\u0308'],
    ['Arabic', '\u0645\u062d\u0645\u062f \u0639\u0644\u064a'],
    ['Hebrew with points', '\u05d3\u05bc\u05b8\u05d5\u05b4\u05d3'],
    ['Devanagari', '\u0938\u0941\u0928\u0940\u0924\u093e'],
    ['Thai', '\u0e2a\u0e21\u0e0a\u0e32\u0e22'],
    ['Khmer', '\u179f\u17bb\u1781\u17b6'],
    ['Hangul', '\uae40\ucca0\uc218'],
    ['Japanese with a middle dot', '\u30de\u30eb\u30bd\u30fb\u7530\u4e2d'],
    ['Han of two units', '\u{20bb7}\u91ce\u5bb6'],
    ['Han in the form that the name has', '\u845b\u{e0100}\u57ce'],
    ['Mongolian in the form that the name has', '\u182d\u180b\u182d'],
    ['half-width katakana', '\uff83\uff7d\uff84'],
    ['a wide space between names', '\u7530\u4e2d\u3000\u592a\u90ce'],
    ['Greek', '\u0391\u03b8\u03b7\u03bd\u03ac'],
    ['Cyrillic', '\u041a\u0438\u0457\u0432'],
    ['a face of two units', 'Caf\u00e9 \u{1f600}'],
    ['the sign of a currency', 'Ksh \u20ac 1'],
    ['Ethiopic', '\u12a0\u1260\u1260'],
    ['Cherokee', '\u13e3\u13b3\u13a9'],
  ])('may be %s', (_, text) => {
    expect(isText(text, 40)).toBe(true);
  });

  it.each<[string, string, string]>([
    ['an Arabic letter mark', 'A\u061cB', 'U+061C'],
    ['tags, which can hold a whole text', 'MY SAVINGS\u{e0041}\u{e0042}', 'U+E0041'],
    ['a variation selector that nothing needs', 'A\ufe0fB', 'U+FE0F'],
    ['a second selector after one that is needed', '\u845b\u{e0100}\u{e0101}', 'U+E0101'],
    ['a soft hyphen', 'A\u00adB', 'U+00AD'],
    ['a grapheme joiner', 'A\u034fB', 'U+034F'],
    ['a Mongolian vowel separator', 'A\u180eB', 'U+180E'],
    ['a line separator', 'A\u2028B', 'U+2028'],
    ['a paragraph separator', 'A\u2029B', 'U+2029'],
    ['an annotation', 'A\ufff9B', 'U+FFF9'],
    ['a musical control', 'A\u{1d173}B', 'U+1D173'],
    ['a shorthand control', 'A\u{1bca0}B', 'U+1BCA0'],
    ['a Hangul filler', '\u3164', 'U+3164'],
    ['a blank pattern', '\u2800', 'U+2800'],
    ['a zero width space', 'A\u200bB', 'U+200B'],
    ['a right-to-left override', 'A\u202eB', 'U+202E'],
    ['a byte order mark', 'A\ufeffB', 'U+FEFF'],
    ['a bell', 'A\u0007B', 'U+0007'],
    ['a character for private use, which each font shows in its own way', 'A\ue000B', 'U+E000'],
    ['one of the last plane for private use', 'A\u{10fffd}B', 'U+10FFFD'],
    ['a code point that is not assigned', 'A\u0378B', 'U+0378'],
    ['one of a plane that nobody has assigned', 'A\u{50000}B', 'U+50000'],
    ['a noncharacter', 'A\ufdd0B', 'U+FDD0'],
    ['the last noncharacter', 'A\uffffB', 'U+FFFF'],
    ['half a pair of surrogates', 'A\ud83dB', 'U+D83D'],
    ['the other half', 'A\ude00', 'U+DE00'],
  ])('must not have %s', (_, text, code) => {
    expect(isText(text, 40)).toBe(false);
    expect(describeTextFault(text, 40)).toContain(code);
  });

  it.each([' ', '   ', '\u00a0', '\u3000\u2003'])('is not blank: %j', (text) => {
    expect(isText(text, 40)).toBe(false);
    expect(describeTextFault(text, 40)).toBe('must not be blank');
  });

  it.each([
    ['\u{1f600}\u20ac\u{1f600}', 3],
    ['\u845b\u{e0100}\u57ce', 3],
  ])('has characters, whether of one or two units: %j has %d', (text, count) => {
    expect(isText(text, count)).toBe(true);
    expect(isText(text, count - 1)).toBe(false);
  });

  it('has no hidden character, whichever it is', () => {
    const texts = Array.from({ length: 0x110000 }, (_, codePoint) => `A${String.fromCodePoint(codePoint)}B`);
    const hidden = texts.map((text) => hiddenCharacter.test(text));
    expect(hidden.filter(Boolean).length).toBeGreaterThan(800_000);
    expect(texts.filter((text, index) => isText(text, 3) === hidden[index])).toEqual([]);
  });
});
