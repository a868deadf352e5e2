import { expect, it } from '@jest/globals';
import { statement } from './statement.js';

const renew = statement<{ id: string; now: Date; seconds: number | undefined }>('renew', ['id'])`
  UPDATE a SET b = :now::timestamptz + :seconds, d = '{"x": true}' WHERE c = :id AND b < ${':now'}`;
const now = new Date(0);

it('numbers the parameters of a statement by their names, and takes its values by them', () => {
  expect(renew.with({ now, id: 'one', seconds: undefined })).toEqual([
    'renew',
    `
  UPDATE a SET b = $2::timestamptz + $3, d = '{"x": true}' WHERE c = $1 AND b < $2`,
    ['one', now, undefined],
  ]);
});

it('refuses values that lack one', () => {
  expect(() => renew.with({ now, id: 'one' } as never)).toThrow('The statement renew needs seconds.');
});
