import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock, type Config } from '#libs/config';
import { ObErrorFilter } from '#libs/error-envelope';
import { addResponseSignature } from '#libs/guards';
import { createHttpApp } from '#libs/http-server';
import { ApiAppModule } from './api-app.module.js';
import { addDocumentation } from './documentation/add-documentation.js';
import { pispPath } from './resource-request.js';

/** 150 payments with every member at its longest stay well below. */
const bodyLimitBytes = 2_097_152;

/**
 * The API app: file payments, registration, discovery, health and documentation.
 * @param clock tests set their own
 * @returns the application, initialised, not listening yet
 */
export async function createApiApp(config: Config, clock: Clock = new Clock()): Promise<NestFastifyApplication> {
  return createHttpApp(ApiAppModule.forRoot(config, clock), {
    config,
    name: 'api',
    tlsProfile: 'asked-for',
    errorFilter: new ObErrorFilter(),
    bodyLimitBytes,
    prepare: (fastify, app) => {
      addResponseSignature(fastify, { config, clock, pathPrefix: `/${pispPath}/` });
      addDocumentation(app, config);
    },
  });
}
