import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type AnswerHeader, describeHeaders } from './headers.js';

/** An example of a body, with one line on what it shows. */
export interface BodyExample {
  readonly summary: string;
  readonly value: unknown;
}

/** The answer of an operation with one status. */
export interface Answer {
  readonly description: string;
  readonly headers: readonly AnswerHeader[];
  /** media types, each with its schema: a class, the classes that it may be, or its own schema */
  readonly content: Readonly<Record<string, Type | readonly Type[] | Readonly<Record<string, unknown>>>>;
  readonly examples?: Readonly<Record<string, BodyExample>>;
}

const everyAnswer: readonly AnswerHeader[] = ['x-fapi-interaction-id'];

/** An answer without a body. */
export function bodiless(description: string, headers: readonly AnswerHeader[] = []): Answer {
  return { description, headers: [...everyAnswer, ...headers], content: {} };
}

/**
 * An answer with a JSON document.
 * @param document class of the document; several where it may be any one of them
 */
export function jsonAnswer(
  document: Type | readonly Type[],
  options: Pick<Answer, 'description' | 'examples'> & { headers?: readonly AnswerHeader[]; mediaType?: string },
): Answer {
  const { description, examples, headers = [], mediaType = 'application/json' } = options;
  return {
    description,
    headers: [...everyAnswer, ...headers],
    content: { [mediaType]: document },
    ...(examples && { examples }),
  };
}

/** An HTML page for a person. */
export function pageAnswer(description: string, headers: readonly AnswerHeader[] = []): Answer {
  return { description, headers: [...everyAnswer, ...headers], content: { 'text/html': { type: 'string' } } };
}

/** Declares the answers of an operation by status. */
export function ApiAnswers(answers: Readonly<Record<number, Answer>>): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...Object.entries(answers).flatMap(([status, answer]) => describeAnswer(Number(status), answer)),
  );
}

function describeAnswer(status: number, { description, headers, content, examples }: Answer): MethodDecorator[] {
  const types = Object.values(content).flatMap(typesOf);
  const described = Object.entries(content).map(([mediaType, schema]) => [
    mediaType,
    {
      schema: typesOf(schema).length === 0 ? schema : schemaOf(typesOf(schema)),
      ...(examples && mediaType === 'application/json' ? { examples } : {}),
    },
  ]);
  const response = {
    status,
    description,
    headers: describeHeaders(headers),
    ...(described.length > 0 && { content: Object.fromEntries(described) as Record<string, object> }),
  };
  return [...(types.length > 0 ? [ApiExtraModels(...types)] : []), ApiResponse(response)];
}

function typesOf(schema: Answer['content'][string]): readonly Type[] {
  if (typeof schema === 'function') return [schema];
  return Array.isArray(schema) ? (schema as readonly Type[]) : [];
}

/** @returns the schema of a document of one class, or of exactly one of several */
export function schemaOf(types: readonly Type[]): { $ref: string } | { oneOf: { $ref: string }[] } {
  const [only, ...others] = types.map((type) => ({ $ref: getSchemaPath(type) }));
  if (only === undefined) throw new TypeError('A document needs a class.');
  return others.length === 0 ? only : { oneOf: [only, ...others] };
}

/** 408 of a request with a body. */
export const bodyTooSlow = bodiless('The body does not come in time.');

/** Answers of every path before the request is processed; 503 also if the database is unavailable. */
export const commonAnswers: Readonly<Record<404 | 405 | 421 | 429 | 431 | 503, Answer>> = {
  404: bodiless('The path does not exist.'),
  405: bodiless('The path does not support this method.', ['allow']),
  421: bodiless("The request's host is not one of the service, or not the one for which its connection was opened."),
  429: bodiless('Too many requests.', ['retry-after']),
  431: bodiless('The address and the headers are longer than 16 KiB.', ['cache-control']),
  503: bodiless('The service is overloaded or not fully available. Repeat the request later.', ['retry-after']),
};
