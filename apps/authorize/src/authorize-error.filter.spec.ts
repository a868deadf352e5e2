import { describe, expect, it, jest } from '@jest/globals';
import { type ArgumentsHost, Logger } from '@nestjs/common';
import type { Clock, Config } from '#libs/config';
import { InvalidRequestError, type OAuthError, ServerError, TemporarilyUnavailableError } from '#libs/oauth';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { createLook } from './look/create-look.js';
import { PageRenderer } from './pages/page-renderer.js';

async function levelsOf(thrown: OAuthError): Promise<string[]> {
  const levels: string[] = [];
  for (const level of ['debug', 'warn', 'error'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(() => void levels.push(level));
  const request = {
    method: 'GET',
    url: '/consent',
    routeOptions: { url: '/consent' },
    headers: {},
    interactionId: 'i',
  };
  const reply: object = new Proxy({ request }, { get: (own, name) => Reflect.get(own, name) ?? (() => reply) });
  const host = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
  const renderer = new PageRenderer(createLook('Bank', { colour: '#0b3d66' }));
  await new AuthorizeErrorFilter(renderer, {} as Config, {} as Clock).catch(thrown, host as unknown as ArgumentsHost);
  jest.restoreAllMocks();
  return levels;
}

describe('a refusal to a customer or a TPP', () => {
  it.each([
    ['debug', new InvalidRequestError('a fault of the TPP')],
    ['error', new ServerError()],
    ['warn', new TemporarilyUnavailableError()],
  ])('is logged at level %s', async (level, error) => {
    expect(await levelsOf(error)).toEqual([level]);
  });
});
