import { describe, expect, it } from '@jest/globals';
import { createObErrorBody } from './ob-error-body.js';
import { obErrorItem } from './ob-error-items.js';
import { ObError } from './ob-error.js';

describe('the texts of an OBErrorResponse1', () => {
  it.each([
    ['as they are', 'Data.é😀', 'Data.é😀'],
    ['of 500 characters at most', 'x'.repeat(501), 'x'.repeat(500)],
    ['without half a character where they are cut', `${'x'.repeat(499)}😀`, `${'x'.repeat(499)}\ufffd`],
    ['without half a character that was sent', 'Data.a\ud800b', 'Data.a\ufffdb'],
  ])('are %s', (_, text, expected) => {
    const item = obErrorItem('UK.OBIE.Field.Invalid', text, text);
    expect(item).toMatchObject({ Message: expected, Path: expected });
    const body = createObErrorBody(new ObError(400, text, [item]), 'https://bank.example');
    expect(body).toMatchObject({ Message: expected, Errors: [{ Message: expected, Path: expected }] });
  });
});
