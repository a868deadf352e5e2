import { describe, expect, it } from '@jest/globals';
import { unsupportedNode } from './node-support.js';

describe('a Node.js that gets no more security fixes', () => {
  it.each([
    ['20.20.2', '2026-04-30', '2026-05-01'],
    ['22.23.1', '2027-04-30', '2027-05-01'],
    ['24.21.0', '2028-04-30', '2028-05-01'],
    ['25.9.0', '2026-06-01', '2026-06-02'],
  ])('%s is named from the day after %s on', (version, last, next) => {
    expect(unsupportedNode(version, new Date(`${last}T23:59:59Z`))).toBeUndefined();
    expect(unsupportedNode(version, new Date(`${next}T00:00:00Z`))).toMatch(
      new RegExp(`^Node.js ${version.slice(0, 2)} .* since ${last}: run this on Node.js 24.$`),
    );
  });

  it('is not one that is newer than what we know', () => {
    expect(unsupportedNode('28.0.0', new Date('2040-01-01'))).toBeUndefined();
  });
});
