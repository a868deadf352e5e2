import { describe, expect, it } from '@jest/globals';
import { isUuid } from './uuid.js';

describe('a UUID as this service writes them', () => {
  it('has small letters and four hyphens', () => {
    expect(isUuid('01932b5e-0000-7000-8000-00000000000f')).toBe(true);
  });

  it.each([
    '',
    '01932B5E-0000-7000-8000-00000000000F',
    '01932b5e00007000800000000000000f',
    '01932b5e-0000-7000-8000-00000000000f\n',
    '{01932b5e-0000-7000-8000-00000000000f}',
    'g1932b5e-0000-7000-8000-00000000000f',
  ])('is not %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
