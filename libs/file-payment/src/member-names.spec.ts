import { describe, expect, it } from '@jest/globals';
import { MemberNames } from './member-names.js';

function unexpectedIn(names: MemberNames, text: string): string[] {
  const noted: string[] = [];
  names.verify(JSON.parse(text) as object, { noteUnexpected: (name) => noted.push(name) });
  return noted;
}

describe('the names that members may have', () => {
  it('are told from others, whatever the order of the objects before', () => {
    const names = new MemberNames(['One', 'Two', 'Three']);
    const objects: [string, string[]][] = [
      ['{"One":1,"Two":2,"Three":3}', []],
      ['{"Four":4,"One":1,"two":2,"Two":2,"Five":5}', ['Four', 'two', 'Five']],
      ['{"Three":3,"One":1,"Two":2,"Four":4}', ['Four']],
      ['{"Three":3,"Four":4,"Two":2}', ['Four']],
      ['{"Four":4}', ['Four']],
      ['{}', []],
      ['{"One":1,"Two":2,"Three":3,"Four":4}', ['Four']],
    ];
    for (const [text, unexpected] of objects) expect([text, unexpectedIn(names, text)]).toEqual([text, unexpected]);
  });

  it.each(['__proto__', 'constructor', 'toString', '', '0'])('do not include %j', (name) => {
    expect(unexpectedIn(new MemberNames(['One']), `{"One":1,${JSON.stringify(name)}:2}`)).toEqual([name]);
  });
});
