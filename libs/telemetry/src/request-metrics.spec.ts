import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { metricsOf, RequestMetrics } from './request-metrics.js';

const handler = (): string => 'ok';

describe('metrics that are computed on demand', () => {
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

describe('RequestMetrics', () => {
  it('names the method of a route, or one word for several', async () => {
    const registry = new Registry();
    const server = fastify();
    new RequestMetrics(registry).watch(server, { name: 'api' });
    server.get('/one', handler);
    server.all('/all', handler);
    server.route({ method: ['PUT', 'PATCH'], url: '/one', config: { isMethodNotAllowed: true }, handler });
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    await fetch(`${address}/one`);
    await fetch(`${address}/all`);
    await fetch(`${address}/one`, { method: 'PUT' });
    await server.close();
    const counted = [...(await registry.metrics()).matchAll(/method="([^"]*)",route="([^"]*)",status="200"/g)];
    expect(counted.map(([, method, route]) => `${method} ${route}`)).toEqual(['GET /one', 'any /all', 'other /one']);
  });
});
