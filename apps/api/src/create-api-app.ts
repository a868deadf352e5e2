import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock, type Config } from '#libs/config';
import {
  addResponseSignature,
  ClientCertificateReader,
  clientByCertificate,
  demandClientCertificate,
  tellLimits,
} from '#libs/guards';
import { createHttpApp, isBelow } from '#libs/http-server';
import { Telemetry } from '#libs/telemetry';
import { ApiErrorFilter } from './api-error.filter.js';
import { ApiAppModule } from './api-app.module.js';
import type { FurtherDocument } from './documentation/api-documents.js';
import { limitBody, smallestBodyLimitBytes } from './resources/body-limit.js';
import { registrationPath } from './registration/registration-address.js';
import { servedAreas, wireOf } from './wire/wires.js';

export type { FurtherDocument } from './documentation/api-documents.js';

/**
 * The API app: payments, consents to access, registration, discovery, health and documentation.
 * @param clock tests set their own
 * @param telemetry of the process; without it, measurements are discarded
 * @param furtherDocuments that /docs shows beside the service's own
 * @returns the application, initialised, not listening yet
 */
export async function createApiApp(
  config: Config,
  clock: Clock = new Clock(),
  telemetry = new Telemetry(config),
  furtherDocuments: readonly FurtherDocument[] = [],
): Promise<NestFastifyApplication> {
  // Kinds below one address share its signatures, errors and limits: one hook each.
  const served = [...new Map(servedAreas(config).map(({ wire }) => [wire.prefix, wire])).values()];
  return createHttpApp(ApiAppModule.forRoot(config, telemetry, clock, furtherDocuments), {
    config,
    telemetry,
    areaOf,
    clientOf: clientByCertificate,
    name: 'api',
    tlsProfile: 'asked-for',
    errorFilter: new ApiErrorFilter(config),
    bodyLimitBytes: smallestBodyLimitBytes,
    prepare: (fastify, app) => {
      const certificates = app.get(ClientCertificateReader, { strict: false });
      demandClientCertificate(fastify, {
        certificates,
        pathPrefixes: [...served.map(({ prefix }) => `/${prefix}`), `/${registrationPath}`],
      });
      fastify.addHook('onRoute', limitBody);
      for (const { prefix, signatureForm: form, errorBody } of served.filter(({ isSigned }) => isSigned)) {
        addResponseSignature(fastify, { config, clock, pathPrefix: `/${prefix}/`, form, errorBody });
      }
      for (const { prefix, areLimitsTold } of served) {
        forbidCaching(fastify, `/${prefix}/`);
        if (areLimitsTold) tellLimits(fastify, `/${prefix}/`);
      }
    },
  });
}

/** The areas whose availability is reported separately (EBA/GL/2018/07). */
function areaOf(route: string): string {
  const wire = wireOf(route);
  if (wire !== undefined) return wire.area;
  if (route.startsWith(`/${registrationPath}`)) return 'registration';
  return route.endsWith('/openid-configuration') ? 'discovery' : 'other';
}

/**
 * Forbids caching of answers about payments, and of refusals: a 404 or 405 is cacheable by default (RFC 9110 s15.1, RFC
 * 9111 s5.2.2.5).
 * @param pathPrefix path below which this applies
 */
function forbidCaching(fastify: FastifyInstance, pathPrefix: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isBelow(request, pathPrefix)) void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
