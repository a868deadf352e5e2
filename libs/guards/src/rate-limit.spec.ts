import { afterEach, describe, expect, it } from '@jest/globals';
import { type ArgumentsHost, Controller, Get, Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock, Config, ConfigModule } from '#libs/config';
import { answerWithObError } from '#libs/error-envelope';
import { CertificateRevocation } from './certificate-revocation.js';
import { RateLimitModule } from './rate-limit.module.js';

@Controller()
class AnyController {
  @Get('one')
  one() {
    return {};
  }
  @Get('other')
  other() {
    return {};
  }
  @Get('health/live')
  live() {
    return {};
  }
}

@Module({ controllers: [AnyController] })
class AnyModule {}

@Global()
@Module({
  providers: [{ provide: CertificateRevocation, useValue: { mayRelyOn: () => true } }],
  exports: [CertificateRevocation],
})
class NothingRevokedModule {}

let app: NestFastifyApplication;

const start = async (
  perClient: number,
  perAddress: number,
  { clientCertificateSource = 'tls', ingressAddresses = [] as string[] } = {},
): Promise<void> => {
  const config = new Config({
    tls: { clientTrustAnchors: [], ingressTrustAnchors: [], ingressAddresses, clientCertificateSource },
    revocation: { mode: 'off', sources: [], lists: [], cacheSeconds: 60 },
    rateLimit: { windowSeconds: 60, perClient, perAddress },
  } as unknown as Config);
  const imports = [
    NothingRevokedModule,
    ConfigModule.forRoot(config, new Clock()),
    RateLimitModule.forRoot(config),
    AnyModule,
  ];
  const testing = await Test.createTestingModule({ imports }).compile();
  app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  const names = { baseUrl: 'https://bank.example.com', bank: { errorNamespace: 'UK.MYBANK' } };
  app.useGlobalFilters({ catch: (error: unknown, host: ArgumentsHost) => answerWithObError(error, host, names) });
  await app.init();
};

const get = (url: string, remoteAddress: string) => app.inject({ method: 'GET', url, remoteAddress });

afterEach(() => app.close());

describe('fair usage (FP-176)', () => {
  it('refuses requests above the limit with 429, no body and the whole seconds to wait', async () => {
    await start(0, 2);
    const statuses = [await get('/one', '192.0.2.1'), await get('/other', '192.0.2.1'), await get('/one', '192.0.2.1')];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(statuses[2]?.body).toBe('');
    expect(statuses[2]?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it('counts each address for itself', async () => {
    await start(0, 1);
    expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
    expect((await get('/one', '192.0.2.2')).statusCode).toBe(200);
    expect((await get('/one', '192.0.2.1')).statusCode).toBe(429);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    await start(0, 1);
    expect((await get('/one', '2001:db8:1:2::1')).statusCode).toBe(200);
    expect((await get('/one', '2001:db8:1:3::1')).statusCode).toBe(200);
    expect((await get('/one', '2001:db8:1:2::ffff')).statusCode).toBe(429);
  });

  it('counts nothing where both limits are 0', async () => {
    await start(0, 0);
    for (let count = 0; count < 20; count += 1) expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
  });

  it.each(['client-cert', 'nginx', 'envoy'])('counts nobody by the address of an ingress (%s)', async (source) => {
    await start(1, 1, { clientCertificateSource: source });
    for (let count = 0; count < 5; count += 1) expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
  });

  it('counts a client without a certificate by its address where that is its own', async () => {
    await start(1, 100);
    expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
    expect((await get('/one', '192.0.2.1')).statusCode).toBe(429);
  });

  it('counts nobody without a certificate if addresses must not be counted, because one may stand for everybody', async () => {
    await start(1, 0);
    for (let count = 0; count < 5; count += 1) expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
  });

  it('counts nobody by the address of an ingress that passes TLS through, and everybody else', async () => {
    await start(1, 1, { ingressAddresses: ['192.0.2.0/24'] });
    for (let count = 0; count < 5; count += 1) expect((await get('/one', '192.0.2.1')).statusCode).toBe(200);
    expect((await get('/one', '198.51.100.1')).statusCode).toBe(200);
    expect((await get('/one', '198.51.100.1')).statusCode).toBe(429);
  });

  it('never refuses a health check', async () => {
    await start(1, 1);
    for (let count = 0; count < 5; count += 1) expect((await get('/health/live', '192.0.2.1')).statusCode).toBe(200);
  });
});
