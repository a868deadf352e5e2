import type { FastifyRequest } from 'fastify';

/** @returns whether a load balancer or supervisor asks how the process is */
export function isHealthCheck(request: FastifyRequest): boolean {
  return request.url.startsWith('/health/');
}

/** @returns whether the question is if further requests may be sent here */
export function isReadinessCheck(request: FastifyRequest): boolean {
  return request.url === '/health/ready';
}
