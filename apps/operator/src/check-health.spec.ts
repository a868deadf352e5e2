import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';

const parameters = process.argv;

afterEach(() => {
  process.argv = parameters;
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

it('stops at the first process that is not ready, with its reasons and exit code 1', async () => {
  const asked: number[] = [];
  const servers = [200, 503, 200].map((status, index) =>
    createServer((_request, response) => {
      asked.push(index);
      response.writeHead(status).end(`answer ${index}`);
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  let said = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  process.argv = [...parameters.slice(0, 2), ...ports];
  await import('./check-health.js');
  expect([asked, process.exitCode]).toEqual([[0, 1], 1]);
  expect(said).toContain('answer 1');
  for (const server of servers) server.close();
});
