import { applyDecorators, Controller, Delete, Get, HttpCode, Post, UseFilters, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  BearerTokenGuard,
  ClientCertificateGuard,
  FapiHeadersGuard,
  IdempotencyKeyGuard,
  JwsSignatureGuard,
  MediaTypeGuard,
  RequireSignatureForm,
  RequireToken,
  type TokenRequirement,
} from '#libs/guards';
import type { OperationDocument, WireArea } from '../wire/wire.js';
import { createResourceErrorFilter } from './resource-error.filter.js';

/**
 * A resource of the Read/Write API: its address, the checks of every request in the order of the profile, the tokens
 * that it accepts by default, and its error filter.
 * @param resource.consentPath where a request names the consent: `ConsentId` or `Data.ConsentId`
 */
export function Resource(
  wire: WireArea,
  resource: { path: string; scope: TokenRequirement['scope']; consentPath: string },
): ClassDecorator {
  const { path, scope, consentPath } = resource;
  return applyDecorators(
    Controller(`${wire.prefix}/${path}`),
    UseGuards(ClientCertificateGuard, BearerTokenGuard, MediaTypeGuard, FapiHeadersGuard),
    UseFilters(createResourceErrorFilter(wire, consentPath)),
    RequireToken({ scope, grantTypes: ['client_credentials'] }),
    ...(wire.signatureForm === undefined ? [] : [RequireSignatureForm(wire.signatureForm)]),
  );
}

/** An operation that reads. */
export function Reads(path: string, document: OperationDocument): MethodDecorator {
  return applyDecorators(Get(path), document());
}

/**
 * An unsigned operation that creates a new resource for each request.
 * @param operation.longestBody bytes that are read into memory
 * @param operation.token which tokens it accepts, if others than the resource
 */
export function Stages(
  path: string,
  operation: { longestBody: number; document: OperationDocument; token?: TokenRequirement },
): MethodDecorator {
  const { longestBody, document, token } = operation;
  return applyDecorators(
    Post(path),
    HttpCode(201),
    RouteConfig({ longestBody } satisfies BodyLimit),
    document(),
    ...(token === undefined ? [] : [RequireToken(token)]),
  );
}

/** An operation that deletes; its answer has no body. */
export function Withdraws(path: string, document: OperationDocument): MethodDecorator {
  return applyDecorators(Delete(path), HttpCode(204), document());
}

/**
 * A signed operation that writes and takes effect once.
 * @param operation.longestBody bytes that are read into memory
 * @param operation.token which tokens it takes, if others than the resource
 */
export function Writes(
  path: string,
  operation: { status: 200 | 201; longestBody: number; document: OperationDocument; token?: TokenRequirement },
): MethodDecorator {
  const { status, longestBody, document, token } = operation;
  return applyDecorators(
    Post(path),
    HttpCode(status),
    RouteConfig({ longestBody } satisfies BodyLimit),
    UseGuards(IdempotencyKeyGuard, JwsSignatureGuard),
    document(),
    ...(token === undefined ? [] : [RequireToken(token)]),
  );
}

/** The body limits of a route. */
export interface BodyLimit {
  readonly longestBody?: number;
}
