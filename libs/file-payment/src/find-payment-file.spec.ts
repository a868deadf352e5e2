import { expect, it } from '@jest/globals';
import type { StatementRunner } from '#libs/persistence';
import { findPaymentFile } from './find-payment-file.js';

it('reads nothing of a file for which there is no room', async () => {
  const asked: string[] = [];
  const runner = {
    query: (name: string) => {
      asked.push(name);
      return Promise.resolve({ rows: [{ length: 2_000_000 }] });
    },
  } as unknown as StatementRunner;
  const noRoom = new Error('no room');
  const hold = (length: number): void => {
    if (length > 1_999_999) throw noRoom;
  };
  await expect(findPaymentFile(runner, 'bd3ab2a2-7b0c-4d45-a4a2-4d9d7f7a6c59', hold)).rejects.toBe(noRoom);
  expect(asked).toEqual(['find-payment-file-length']);
});
