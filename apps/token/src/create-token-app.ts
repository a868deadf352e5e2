import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Clock, Config } from '#libs/config';
import { createHttpApp } from '#libs/http-server';
import { TokenAppModule } from './token-app.module.js';
import { OAuthErrorFilter } from './token/oauth-error.filter.js';

/** The longest token request of any client is a tenth of this; nothing longer is read into memory. */
const bodyLimitBytes = 32_768;

/**
 * The token app: mutual TLS, `POST /oauth2/token` and its siblings revoke, introspect and userinfo.
 * @param config the validated configuration
 * @param clock the clock; tests set their own
 * @returns the application, initialised, not listening yet
 */
export async function createTokenApp(config: Config, clock?: Clock): Promise<NestFastifyApplication> {
  return createHttpApp(TokenAppModule.forRoot(config, clock), {
    config,
    name: 'token',
    tlsProfile: 'mutual',
    errorFilter: new OAuthErrorFilter(config),
    bodyLimitBytes,
  });
}
