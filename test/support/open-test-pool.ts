import { Pool, type PoolConfig } from 'pg';

/**
 * @returns a pool whose connections may hear of the end of their server without failing the suite: `pool.end()` resolves
 * before they are closed
 */
export function openTestPool(config: PoolConfig): Pool {
  return new Pool(config).on('error', () => undefined);
}
