import { describe, expect, it } from '@jest/globals';
import { formatOutcome } from './format-outcome.js';

describe('formatOutcome', () => {
  it('prints JSON as it is', () => {
    expect(JSON.parse(formatOutcome([{ clientId: 'a', scope: 'openid' }], 'json'))).toEqual([
      { clientId: 'a', scope: 'openid' },
    ]);
  });

  it('prints a table of the existing columns, aligned', () => {
    const rows = [
      { clientId: 'one', status: 'Active', clientName: 'A' },
      { clientId: 'three', status: 'Suspended', clientName: 'B' },
    ];
    expect(formatOutcome(rows, 'table')).toBe(
      'clientId  status     clientName\none       Active     A\nthree     Suspended  B\n',
    );
    expect(formatOutcome({ clientId: 'one', scope: 'openid' }, 'table')).toBe('clientId  one\nscope     openid\n');
    expect(formatOutcome([], 'table')).toBe('none\n');
  });

  it('does not let the name of a TPP move the cursor of a terminal', () => {
    const table = formatOutcome([{ clientName: 'TPP\u001b[2J\u202e' }], 'table');
    expect(table).toBe('clientName\nTPP?[2J?\n');
  });
});
