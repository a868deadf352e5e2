import type { FastifyRequest } from 'fastify';
import type { RegisteredClient } from '#libs/client-registration';
import { rawBody } from '#libs/guards';
import type { SignedRegistrationRequest } from './registration.service.js';
import './registration-owner.guard.js';

/** @returns body, certificate and interaction id of the request; the guards have run */
export function signedRequest(request: FastifyRequest): SignedRegistrationRequest {
  const { clientCertificate, interactionId } = request;
  if (clientCertificate === undefined) throw new TypeError('The client certificate guard must run before the handler.');
  return { body: rawBody(request), certificate: clientCertificate, interactionId };
}

/** @returns the owner of the registration, authenticated by the guard */
export function registrationOwner(request: FastifyRequest): RegisteredClient {
  const { registrationOwner: owner } = request;
  if (owner === undefined) throw new TypeError('The registration owner guard must run before the handler.');
  return owner;
}
