import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * A request as Node delivers it: of a repeated Content-Type only the first counts, other repeated headers are joined.
 * @param headers by lower-case name; an array of values was sent line by line
 */
export function aFastifyRequest({
  method = 'POST',
  headers = {},
  body = '',
}: {
  method?: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer;
}): FastifyRequest {
  const lines = Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const read = Object.fromEntries(
    Object.entries(headers).map(([name, values]) => {
      const all = [values].flat();
      return [name, name === 'content-type' ? all[0] : all.join(', ')];
    }),
  );
  const request = { method, headers: read, body: Buffer.from(body), raw: { rawHeaders: lines.flat(), headers: read } };
  return request as unknown as FastifyRequest;
}

/** The context in which Nest calls a guard for a request. */
export function contextOf(request: FastifyRequest): ExecutionContext {
  return { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
}
