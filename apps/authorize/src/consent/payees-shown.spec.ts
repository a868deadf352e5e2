import { describe, expect, it } from '@jest/globals';
import { countAnswers, createPayeesValue, readPayeesValue } from './payees-shown.js';

const names = [
  { match: 'Match' },
  { match: 'NoMatch' },
  { match: 'CloseMatch', name: 'Bell and Sons' },
  { match: 'Match' },
] as const;
const shown = countAnswers({ names, known: [true, false, false, true] }, 4);

describe('what a page has said about the payees', () => {
  it('is counted, without names', () => {
    expect(shown).toEqual({ names: { Match: 2, NoMatch: 1, CloseMatch: 1 }, known: 2, new: 2 });
    expect(countAnswers({ names: 'Unavailable', known: 'Unavailable' }, 4)).toEqual({ names: { Unavailable: 4 } });
    expect(countAnswers({}, 4)).toEqual({});
  });

  it('is accepted from a page of the session only', () => {
    const value = createPayeesValue(shown, 'session');
    expect(readPayeesValue(value, 'session')).toEqual(shown);
    const forged = `${Buffer.from('{"known":4}').toString('base64url')}.${value.split('.')[1]}`;
    for (const other of [undefined, '', 'x', value.slice(0, -1), `${value}€`, '.é€€€€€€€€€€€€€€€€€€€€€', forged]) {
      expect(readPayeesValue(other, 'session')).toBeUndefined();
    }
    expect(readPayeesValue(value, 'another session')).toBeUndefined();
  });
});
