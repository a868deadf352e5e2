/**
 * SQL of a new id in a SELECT whose many rows one INSERT writes. The ids of one statement follow one another, so an
 * index has them on a few pages; of random ids it has each on a page of its own, which is read, logged and written.
 */
export const consecutiveIds = `
  ((SELECT left(gen_random_uuid()::text, 28)) || lpad(to_hex(row_number() OVER ()), 8, '0'))::uuid`;
