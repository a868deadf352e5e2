import { describe, expect, it } from '@jest/globals';
import { mostEntries } from '#libs/obie-rules';
import { readBody } from './read-body.js';
import { classWith } from './members.js';
import { ObObject, ObObjects, ObText, Optional } from './rules.js';

/** Number of entries that became instances. */
let made = 0;

class Line {
  constructor() {
    made += 1;
  }

  @Optional()
  @ObText(5)
  Text?: string;
}

const closed = { isClosed: true };
const Note = classWith(
  'Note',
  {
    Lines: Optional({}, ObObjects(Line)),
  },
  closed,
);
const Body = classWith(
  'Body',
  {
    Note: Optional({}, ObObject(Note)),
  },
  closed,
);

const read = (document: Record<string, unknown>) =>
  readBody(Body, document, closed).faults.map(({ code, path }) => [code, path]);

describe('a body of objects', () => {
  it('names an array that is too long, without visiting all of its entries', () => {
    made = 0;
    expect(read({ Note: { Lines: Array.from({ length: 3_000 }, () => ({})) } })).toEqual([
      ['Field.Invalid', 'Note.Lines'],
    ]);
    expect(made).toBe(mostEntries + 1);
  });

  it('has every entry of an array of permitted length read', () => {
    const Lines = Array.from({ length: mostEntries }, () => ({ Text: 'x' }));
    expect(read({ Note: { Lines } })).toEqual([]);
    Lines[mostEntries - 1] = { Text: 'too long' };
    expect(read({ Note: { Lines } })).toEqual([['Field.Invalid', `Note.Lines[${mostEntries - 1}].Text`]]);
  });

  it('has no unknown member in its closed objects, however deep', () => {
    expect(read({ Note: { Own: 'x', Lines: [{ Own: 'x' }] }, Own: 'x' })).toEqual([
      ['Field.Unexpected', 'Note.Own'],
      ['Field.Unexpected', 'Own'],
    ]);
  });
});
