import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ClientCertificate } from '#libs/http-server';
import './api-request.js';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { noClientCertificate } from './demand-client-certificate.js';

/** Requires a verified client certificate, else 401 without a body (FAPI 1.0 Advanced s5.2.2, mutual TLS). */
@Injectable()
export class ClientCertificateGuard implements CanActivate {
  constructor(private readonly reader: ClientCertificateReader) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const certificate = this.reader.readUnrevoked(request);
    return certificate instanceof Promise
      ? certificate.then((found) => accept(request, found))
      : accept(request, certificate);
  }
}

function accept(request: FastifyRequest, certificate: ClientCertificate | undefined): true {
  if (certificate === undefined) throw noClientCertificate();
  request.clientCertificate = certificate;
  return true;
}
