import { describe, expect, it } from '@jest/globals';
import { findCutOff, parseCutOffTimes } from './cut-off.js';

const calendar = {
  times: parseCutOffTimes('BACS=16:00, FPS=23:30/daily'),
  holidays: ['2026-12-25', '2026-12-28'],
};
const at = (now: string, requestedDay?: string, localInstrument: 'UK.OBIE.BACS' | 'UK.OBIE.FPS' = 'UK.OBIE.BACS') => {
  const found = findCutOff({ calendar, localInstrument, requestedDay, now: new Date(now) });
  return found && [found.at.toISOString(), found.executionDay, found.isAfter];
};

describe('the cut-off of a payment (Read/Write API 3.1.2, CutOffDateTime)', () => {
  it.each([
    [
      'before it on a Wednesday in winter',
      '2026-11-18T15:59:59Z',
      undefined,
      '2026-11-18T16:00:00.000Z',
      '2026-11-18',
      false,
    ],
    ['at it', '2026-11-18T16:00:00Z', undefined, '2026-11-19T16:00:00.000Z', '2026-11-19', true],
    ['before it in summer', '2026-07-15T14:59:59Z', undefined, '2026-07-15T15:00:00.000Z', '2026-07-15', false],
    ['after it in summer', '2026-07-15T15:00:00Z', undefined, '2026-07-16T15:00:00.000Z', '2026-07-16', true],
    ['after it on a Friday', '2026-11-20T16:30:00Z', undefined, '2026-11-23T16:00:00.000Z', '2026-11-23', true],
    [
      'on a Saturday, which has none to miss',
      '2026-11-21T20:00:00Z',
      undefined,
      '2026-11-23T16:00:00.000Z',
      '2026-11-23',
      false,
    ],
    ['before holidays', '2026-12-24T17:00:00Z', undefined, '2026-12-29T16:00:00.000Z', '2026-12-29', true],
    [
      'in the evening for a later day',
      '2026-11-18T20:00:00Z',
      '2026-11-20',
      '2026-11-20T16:00:00.000Z',
      '2026-11-20',
      false,
    ],
    ['for a Sunday', '2026-11-18T20:00:00Z', '2026-11-22', '2026-11-23T16:00:00.000Z', '2026-11-23', false],
    ['in the evening for today', '2026-11-18T20:00:00Z', '2026-11-18', '2026-11-19T16:00:00.000Z', '2026-11-19', true],
  ])('is found %s', (_title, now, requestedDay, cutOff, day, isAfter) => {
    expect(at(now, requestedDay)).toEqual([cutOff, day, isAfter]);
  });

  it('comes every day where the scheme never rests', () => {
    expect(at('2026-12-25T12:00:00Z', undefined, 'UK.OBIE.FPS')).toEqual([
      '2026-12-25T23:30:00.000Z',
      '2026-12-25',
      false,
    ]);
  });

  it('does not exist for a scheme without one', () => {
    const found = findCutOff({ calendar, localInstrument: 'UK.OBIE.CHAPS', requestedDay: undefined, now: new Date() });
    expect(found).toBeUndefined();
  });

  it.each(['SEPA=16:00', 'BACS=24:00', 'BACS=4:00', 'BACS', 'BACS=16:00/weekly'])('refuses the setting %s', (text) => {
    expect(() => parseCutOffTimes(text)).toThrow(TypeError);
  });
});
