import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { createBankApp } from './create-bank-app.js';

const host = 'localhost:8448';

/** A database with one question, which is open until it is answered. */
function openOnce(): Pool {
  let open = 1;
  const query = async (sql: string) => (sql.startsWith('UPDATE') ? { rowCount: open-- } : { rows: [] });
  return { query } as unknown as Pool;
}

it.each([
  ['approve', 'Approved', 'Approved. Go back to the browser.'],
  ['refuse', 'Refused', 'Declined. Go back to the browser.'],
])('an answer leads back to the page, so that a reload does not %s again', async (answer, status, notice) => {
  const app = createBankApp({ pool: openOnce(), log: pino({ enabled: false }) });
  const press = () => app.inject({ method: 'POST', url: `/challenges/c/${answer}`, headers: { host } });
  const read = async (url: unknown) => (await app.inject({ url: String(url), headers: { host } })).body;
  const [first, again] = [await press(), await press()];
  expect([first.statusCode, first.headers.location]).toEqual([303, `/?answer=${status}`]);
  expect(await read(first.headers.location)).toContain(notice);
  expect(await read(again.headers.location)).toContain('Too late: this no longer waits for you.');
  expect(await read('/?answer=%3Cb%3E')).not.toContain('<b>');
  await app.close();
});
