import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '#libs/config';
import { tlsOptions } from '#libs/http-server';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
import { createTokenApp } from '../../../apps/token/src/create-token-app.js';
import { bankHosts, type AppName } from './bank-host.js';

const profiles = { authorize: 'one-way', token: 'mutual', api: 'asked-for' } as const;
const creators = { authorize: createAuthorizeApp, token: createTokenApp, api: createApiApp };
const ticketKeys = randomBytes(48);

/** One protection of the application taken away. */
export type Weakness =
  | 'TLS 1.1 spoken'
  | 'a weak suite accepted'
  | 'sessions resumed'
  | 'client certificate not demanded'
  | 'Host not looked at';

/** An instance of each application in this process, so that a protection can be taken away that no setting takes away. */
export class WeakInstances {
  readonly #apps: readonly (readonly [AppName, NestFastifyApplication])[];

  private constructor(apps: readonly (readonly [AppName, NestFastifyApplication])[]) {
    this.#apps = apps;
  }

  /** @param weakness none: only the settings are weak */
  static async start(environment: Readonly<Record<string, string>>, weakness?: Weakness): Promise<WeakInstances> {
    const config = loadConfig(environment);
    const apps: (readonly [AppName, NestFastifyApplication])[] = [];
    for (const name of ['authorize', 'token', 'api'] as const) {
      const app = await creators[name](config);
      await app.listen(0, '127.0.0.1');
      if (weakness) weaken(app.getHttpServer() as Server, name, tlsOptions(config, profiles[name], name), weakness);
      apps.push([name, app]);
    }
    return new WeakInstances(apps);
  }

  /** Where they listen. */
  get ports(): Readonly<Record<AppName, number>> {
    const ports = this.#apps.map(([name, app]) => [name, (app.getHttpServer().address() as AddressInfo).port] as const);
    return Object.fromEntries(ports) as Record<AppName, number>;
  }

  async stop(): Promise<void> {
    for (const [, app] of this.#apps) await app.close();
  }
}

function weaken(server: Server, name: AppName, tls: ReturnType<typeof tlsOptions>, weakness: Weakness): void {
  switch (weakness) {
    case 'TLS 1.1 spoken':
      server.setSecureContext({ ...tls, minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' });
      break;
    case 'a weak suite accepted':
      server.setSecureContext({ ...tls, ciphers: `${tls.ciphers ?? ''}:ECDHE-RSA-AES128-SHA256` });
      break;
    case 'sessions resumed':
      server.setSecureContext({ ...tls, secureOptions: 0, sessionIdContext: 'any', ticketKeys });
      break;
    case 'client certificate not demanded':
      Reflect.set(server, 'rejectUnauthorized', false);
      break;
    case 'Host not looked at':
      // As if the request had been for the right one.
      server.prependListener('request', (request: IncomingMessage) => {
        request.headers.host = bankHosts[name];
        request.rawHeaders = ['host', bankHosts[name]];
      });
      break;
  }
}
