import { HttpException } from '@nestjs/common';

/**
 * @returns the status that an error of Nest or Fastify stands for (an unknown route, a body it refuses to read);
 * undefined for any other
 */
export function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : undefined;
}
