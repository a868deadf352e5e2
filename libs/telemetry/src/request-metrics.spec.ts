import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { metricsOf } from './request-metrics.js';

describe('metrics that are asked for', () => {
  it('leave out what cannot be counted, and show the rest', async () => {
    const registry = new Registry();
    const { gauge } = metricsOf(registry);
    let isAway = false;
    gauge('queue_depth', 'Counted in the database.', ['queue'], async (set) => {
      if (isAway) throw new Error('the database is away');
      set({ queue: 'payments' }, 3);
    });
    gauge('ready', 'Known without it.', [], (set) => set({}, 0));
    expect(await registry.metrics()).toContain('queue_depth{queue="payments"} 3');
    isAway = true;
    const text = await registry.metrics();
    expect(text).toContain('\nready 0');
    expect(text).not.toContain('queue_depth{');
  });
});
