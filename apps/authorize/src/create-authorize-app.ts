import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock, type Config } from '#libs/config';
import { createHttpApp } from '#libs/http-server';
import { AUTHORIZATION_QUERY_MAX_LENGTH, PUSHED_REQUEST_MAX_LENGTH } from '#libs/oauth';
import { Telemetry } from '#libs/telemetry';
import { parseApprovalCookie } from './approvals/approval-cookie.js';
import { AuthorizeErrorFilter, pushedRequestPath } from './authorize-error.filter.js';
import { AuthorizeModule } from './authorize.module.js';
import { createLook } from './look/create-look.js';
import { PageRenderer } from './pages/page-renderer.js';
import { accountsFormBounds } from './psu-session/page-request.js';
import { parseSessionCookies } from './psu-session/session-cookie.js';

/** The longest form of a page is the sign-in. */
const bodyLimitBytes = 16_384;
/** A request object by value is in the query: room for the largest one and the other parameters. */
const headerLimitBytes = 131_072;

/**
 * The authorize app: one-way TLS, `GET /oauth2/authorize`, the PSU's pages, `GET /oauth2/jwks`, `POST /oauth2/par` for
 * clients that authenticate without a certificate.
 * @param config the validated configuration
 * @param clock the clock; tests set their own
 * @param telemetry of the process; without it, measurements are discarded
 * @returns the application, initialised, not listening yet
 */
export async function createAuthorizeApp(
  config: Config,
  clock?: Clock,
  telemetry = new Telemetry(config),
): Promise<NestFastifyApplication> {
  const renderer = new PageRenderer(createLook(config.bank.name, config.look));
  return createHttpApp(AuthorizeModule.forRoot({ config, renderer, telemetry, clock }), {
    config,
    telemetry,
    hasSession: ({ headers: { cookie } }) =>
      parseSessionCookies(cookie).length > 0 || parseApprovalCookie(cookie) !== undefined,
    name: 'authorize',
    tlsProfile: 'one-way',
    errorFilter: new AuthorizeErrorFilter(renderer, config, clock ?? new Clock()),
    bodyLimitBytes,
    headerLimitBytes,
    prepare: (fastify) => {
      fastify.addHook('onRoute', (route) => {
        // A request object of maximum size, in a form.
        if (route.url === '/oauth2/authorize') route.bodyLimit = AUTHORIZATION_QUERY_MAX_LENGTH;
        if (route.url === '/consent') route.bodyLimit = accountsFormBounds.maxLength;
        if (route.url === pushedRequestPath) route.bodyLimit = PUSHED_REQUEST_MAX_LENGTH;
      });
    },
  });
}
