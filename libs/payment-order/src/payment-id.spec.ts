import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { mostPayments } from '#libs/obie-rules';
import { filePaymentIdOf, paymentIdOf } from './payment-id.js';

const idsOf = (consentId: string) =>
  Array.from({ length: mostPayments }, (_, index) => paymentIdOf(consentId, index + 1));

describe('the ids of the payments of a file', () => {
  it('are the hex digits of UUIDs of version 7, in file order (RFC 9562 s5.7)', () => {
    const ids = idsOf('01932B5E-0000-7ABC-8DEF-0123456789AB'.toLowerCase());
    expect(ids[0]).toBe('01932b5e00007abc8def012345678901');
    expect(ids.at(-1)).toBe('01932b5e00007abc8def012345678996');
    expect(ids.toSorted()).toStrictEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });

  it('are unique within a file and among files of the same moment', () => {
    const consentIds = Array.from({ length: 100 }, () => uuidv7({ msecs: 1_763_800_000_000 }));
    expect(new Set(consentIds.flatMap(idsOf)).size).toBe(100 * mostPayments);
  });
});

describe('the id of a file payment', () => {
  it('is a UUID of version 7 that follows from the ConsentId, and is another one', () => {
    expect(filePaymentIdOf('01932b5e-0000-7abc-8def-0123456789ab')).toBe('01932b5e-0000-7543-8def-0123456789ab');
    expect(filePaymentIdOf('01932b5e-0000-7fff-8def-0123456789ab')).toBe('01932b5e-0000-7000-8def-0123456789ab');
    const consentIds = Array.from({ length: 1_000 }, () => uuidv7({ msecs: 1_763_800_000_000 }));
    expect(new Set(consentIds.flatMap((consentId) => [consentId, filePaymentIdOf(consentId)])).size).toBe(2_000);
  });
});
