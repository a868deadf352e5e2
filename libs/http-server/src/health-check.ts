import type { FastifyRequest } from 'fastify';

export function isHealthCheck(request: FastifyRequest): boolean {
  return request.url.startsWith('/health/');
}

/** @returns whether the health check asks for readiness */
export function isReadinessCheck(request: FastifyRequest): boolean {
  return request.url === '/health/ready';
}
