import { describe, expect, it } from '@jest/globals';
import { completeDateTime, formatDateTime, londonDay, parseDateTime } from './date-time.js';

describe('date-times of the standard (Read/Write profile, date formats)', () => {
  it.each([
    ['2030-01-31T10:20:30Z', '2030-01-31T10:20:30.000Z'],
    ['2030-01-31T10:20:30+01:00', '2030-01-31T09:20:30.000Z'],
    ['2030-01-31T10:20:30-0530', '2030-01-31T15:50:30.000Z'],
    ['2030-01-31T10:20:30+01', '2030-01-31T09:20:30.000Z'],
    ['2030-01-31T10:20:30.123Z', '2030-01-31T10:20:30.000Z'],
    ['2030-01-31T10:20Z', '2030-01-31T10:20:00.000Z'],
    ['2030-01-31T10:20:30', '2030-01-31T10:20:30.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(parseDateTime(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'tomorrow',
    '2030-01-31',
    '31/01/2030',
    '2030-02-30T00:00:00Z',
    '2029-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T10:60:00Z',
    '2030-01-31T10:20:30+25:00',
    '2030-01-31T10:20:30Z extra',
    '1890000000',
  ])('refuses %s', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });

  it.each([
    ['2030-01-31T10:20:30', '2030-01-31T10:20:30+00:00'],
    ['2030-01-31T10:20+00:00', '2030-01-31T10:20:00+00:00'],
    ['2030-01-31T10:20', '2030-01-31T10:20:00+00:00'],
    ['2030-01-31T10:20:30+0100', '2030-01-31T10:20:30+01:00'],
    ['2030-01-31T10:20:30-01', '2030-01-31T10:20:30-01:00'],
    ['2030-01-31T10:20:30,5Z', '2030-01-31T10:20:30.5Z'],
    ['2030-01-31t10:20:30,125z', '2030-01-31T10:20:30.125Z'],
    ['2030-01-31T10:20Z', '2030-01-31T10:20:00Z'],
    ['2030-01-31T10:20-0530', '2030-01-31T10:20:00-05:30'],
  ])('completes %s to %s, the same instant (RFC 3339 s5.6)', (text, complete) => {
    expect(completeDateTime(text)).toBe(complete);
    expect(parseDateTime(complete)).toEqual(parseDateTime(text));
  });

  it.each([
    '2030-01-31T10:20:30+00:00',
    '2030-01-31T10:20:30Z',
    '2030-01-31T10:20:30.000+05:30',
    '2030-01-31T10:20:30-00:00',
    '2030-01-31T10:20:30.12345678901234567890Z',
  ])('leaves %s as it is (RFC 3339 s5.6)', (text) => {
    expect(completeDateTime(text)).toBe(text);
  });

  it('writes its own date-times with +00:00 (ISO 8601 with a time zone)', () => {
    expect(formatDateTime(new Date('2030-07-01T10:20:30.999Z'))).toBe('2030-07-01T10:20:30+00:00');
  });

  it('counts days in London, summer time included', () => {
    expect(londonDay(new Date('2030-07-01T23:30:00Z'))).toBe('2030-07-02');
    expect(londonDay(new Date('2030-01-01T23:30:00Z'))).toBe('2030-01-01');
  });

  it('writes days so that they are in the order of the calendar', () => {
    expect(londonDay(new Date('0300-06-15T12:00:00Z'))).toBe('0300-06-15');
  });
});
