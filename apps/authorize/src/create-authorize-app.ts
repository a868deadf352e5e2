import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Clock, Config } from '#libs/config';
import { createHttpApp } from '#libs/http-server';
import { AUTHORIZATION_QUERY_MAX_LENGTH } from '#libs/oauth';
import { Telemetry } from '#libs/telemetry';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { AuthorizeModule } from './authorize.module.js';
import { PageRenderer } from './pages/page-renderer.js';

/** The longest form of a page is the sign-in. */
const bodyLimitBytes = 16_384;
/** A request object by value travels in the query: the largest one accepted, and room for the rest. */
const headerLimitBytes = 131_072;

/**
 * The authorize app: one-way TLS, `GET /oauth2/authorize`, the PSU's pages, `GET /oauth2/jwks`.
 * @param config the validated configuration
 * @param clock the clock; tests set their own
 * @param telemetry of the process; without it nobody sees the measurements
 * @returns the application, initialised, not listening yet
 */
export async function createAuthorizeApp(
  config: Config,
  clock?: Clock,
  telemetry = new Telemetry(config),
): Promise<NestFastifyApplication> {
  const renderer = new PageRenderer(config.bank.name);
  return createHttpApp(AuthorizeModule.forRoot({ config, renderer, telemetry, clock }), {
    config,
    telemetry,
    name: 'authorize',
    tlsProfile: 'one-way',
    errorFilter: new AuthorizeErrorFilter(renderer, config),
    bodyLimitBytes,
    headerLimitBytes,
    prepare: (fastify) => {
      fastify.addHook('onRoute', (route) => {
        // A request object of full size, by form.
        if (route.url === '/oauth2/authorize') route.bodyLimit = AUTHORIZATION_QUERY_MAX_LENGTH;
      });
    },
  });
}
