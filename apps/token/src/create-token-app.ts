import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { OAuthErrorFilter } from '#libs/back-channel';
import type { Clock, Config } from '#libs/config';
import { clientByCertificate } from '#libs/guards';
import { createHttpApp } from '#libs/http-server';
import { PUSHED_REQUEST_MAX_LENGTH, TOKEN_REQUEST_MAX_LENGTH } from '#libs/oauth';
import { Telemetry } from '#libs/telemetry';
import { TokenAppModule } from './token-app.module.js';

/** The maximum length of a body that is read; real token requests have at most a tenth of it. */
const bodyLimitBytes = TOKEN_REQUEST_MAX_LENGTH;

/**
 * The token app: mutual TLS, `POST /oauth2/token` and its siblings par, revoke, introspect and userinfo.
 * @param config the validated configuration
 * @param clock the clock; tests set their own
 * @param telemetry of the process; without it, measurements are discarded
 * @returns the application, initialised, not listening yet
 */
export async function createTokenApp(
  config: Config,
  clock?: Clock,
  telemetry = new Telemetry(config),
): Promise<NestFastifyApplication> {
  return createHttpApp(TokenAppModule.forRoot(config, telemetry, clock), {
    config,
    telemetry,
    clientOf: clientByCertificate,
    name: 'token',
    tlsProfile: 'mutual',
    errorFilter: new OAuthErrorFilter(config),
    bodyLimitBytes,
    prepare: (fastify) => {
      fastify.addHook('onRoute', (route) => {
        // A request object of maximum size.
        if (route.url === '/oauth2/par') route.bodyLimit = PUSHED_REQUEST_MAX_LENGTH;
      });
    },
  });
}
