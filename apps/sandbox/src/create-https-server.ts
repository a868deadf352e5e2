import { constants } from 'node:crypto';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Server, ServerOptions } from 'node:https';
import type { Logger } from 'pino';
import { tlsCiphers } from '#libs/http-server';
import type { Credential } from './trust/trust-framework.js';

/** The maximum body that the sandbox's own servers accept. */
const bodyLimitBytes = 65_536;

export type HttpsServer = FastifyInstance<Server>;

/** Bodies are checked without coercion: "1" does not become 1. Headers and paths contain only text. */
const ofBodies = compilerOf(new Ajv({ useDefaults: true }));
const ofTexts = compilerOf(new Ajv({ coerceTypes: true }));

/** Compiling a schema takes long, and many routes share one. */
function compilerOf(ajv: Ajv): (schema: object) => ValidateFunction {
  addFormats.default(ajv);
  const validators = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = validators.get(text) ?? ajv.compile(schema);
    validators.set(text, known);
    return known;
  };
}

/**
 * A bare HTTPS server for a part of the sandbox that represents another party: the directory, the bank's own systems.
 * @param options.name distinct per server
 * @param options.clientAuthority PEM of the certificate that clients must have, or that must have signed theirs;
 * without it no client certificate is requested
 * @param options.log where unexpected errors go
 */
export function createHttpsServer(options: {
  name: string;
  credential: Credential;
  clientAuthority?: string;
  log: Logger;
}): HttpsServer {
  const { name, credential, clientAuthority, log } = options;
  const https: ServerOptions = {
    cert: credential.certificate,
    key: credential.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    minVersion: 'TLSv1.2',
    ciphers: tlsCiphers,
    honorCipherOrder: true,
    sessionIdContext: name,
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(clientAuthority && { requestCert: true, rejectUnauthorized: true, ca: [clientAuthority] }),
  };
  const server = Fastify({
    https,
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
  });
  server.setValidatorCompiler<object>(({ schema, httpPart }) => (httpPart === 'body' ? ofBodies : ofTexts)(schema));
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ reason: 'NotFound' }));
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ reason: 'InvalidRequest', description: error.message });
    log.error({ err: error, server: name, interactionId: interactionIdOf(request) }, 'The request failed.');
    return reply.code(500).send({ reason: 'InternalError' });
  });
  return server;
}

function interactionIdOf(request: FastifyRequest): string | string[] | undefined {
  return request.headers['x-fapi-interaction-id'];
}
