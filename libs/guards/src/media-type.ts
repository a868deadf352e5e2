import type { FastifyRequest } from 'fastify';
import { singleHeader } from './api-request.js';

/** The parsed Content-Type, in lower case. */
export interface MediaType {
  readonly type: string;
  /** the text between the semicolons */
  readonly parameters: readonly string[];
}

/**
 * @returns undefined without a Content-Type, and with two: Node keeps the first line, and a proxy may have kept the
 *   other
 */
export function mediaTypeOf(request: FastifyRequest): MediaType | undefined {
  const { value, isRepeated } = singleHeader(request, 'content-type');
  if (value === undefined || isRepeated) return undefined;
  const [type = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase());
  return { type, parameters };
}

/** @returns whether no charset but UTF-8 is named */
export function isUtf8({ parameters }: MediaType): boolean {
  return parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset=("?)utf-8\1$/.test(parameter));
}

/** @returns whether the body was compressed or encoded otherwise (RFC 9110 s8.4): no body here may be */
export function hasContentCoding({ headers }: FastifyRequest): boolean {
  // The list of codings may be empty (RFC 9110 s5.6.1).
  const coding = headers['content-encoding']?.trim() || 'identity';
  return coding.toLowerCase() !== 'identity';
}
