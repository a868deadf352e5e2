import { applyDecorators, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Answer, bodiless, type BodyExample, exampleAddresses, jsonAnswer } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import type { OperationDocument, PaymentWire } from '../../wire.js';
import { exampleTime } from '../example-file.js';
import { ApiPispOperation, ApiPispPost } from './api-operation.js';
import type { PaymentText } from './document-text.js';
import { readRefused, writeRefused } from './ob-answers.js';

type Examples = Readonly<Record<string, BodyExample>>;

/** The documentation of an operation. The rest follows from whether it reads or writes. */
interface Operation {
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** of the accepted tokens, if not that of the area */
  readonly grantType?: 'authorization_code';
  /** the answer on success; without `document`, it has no body */
  readonly answer: {
    readonly description: string;
    readonly document?: Type | readonly Type[];
    readonly examples?: Examples;
  };
}

/** GET of a resource. */
export interface ReadOperation extends Operation {
  /** the id in its path */
  readonly reads: 'ConsentId' | PaymentWire['paymentId'];
  /** answers that other reads do not have */
  readonly furtherAnswers?: Readonly<Record<number, Answer>>;
}

/** POST of a signed body. */
export interface WriteOperation extends Operation {
  readonly writes: {
    /** the id in its path, if it writes to an existing resource */
    readonly to?: 'ConsentId';
    readonly bodies: readonly Type[];
    readonly examples: Examples;
    /** faults that other writes do not have */
    readonly faults: readonly Fault[];
    /** the message if the resource already exists */
    readonly there?: string;
  };
}

/** @returns the documentation of each operation of a table */
export function documentsOf<Name extends string>(
  text: PaymentText,
  operations: Readonly<Record<Name, ReadOperation | WriteOperation>>,
): Readonly<Record<Name, OperationDocument>> {
  const documents = Object.entries<ReadOperation | WriteOperation>(operations).map(
    ([name, { grantType, ...operation }]) => {
      const area = grantType === undefined ? text : { ...text, grantType };
      return [name, () => ('reads' in operation ? describeRead(area, operation) : describeWrite(area, operation))];
    },
  );
  return Object.fromEntries(documents) as Record<Name, OperationDocument>;
}

function describeRead(text: PaymentText, operation: ReadOperation): MethodDecorator {
  const { tag, answer, reads, furtherAnswers, ...said } = operation;
  const answers = { 200: success(answer, ['x-jws-signature']), 400: readRefused(text, reads), ...furtherAnswers };
  return applyDecorators(ApiTags(tag), ApiPispOperation(text, { ...said, params: [reads] }, answers));
}

function describeWrite(text: PaymentText, operation: WriteOperation): MethodDecorator {
  const { tag, answer, writes, ...said } = operation;
  const { to, bodies, examples, faults, there } = writes;
  const answers = {
    [to === undefined ? 201 : 200]: success(answer, ['x-jws-signature', 'location']),
    400: writeRefused(text, faults),
  };
  return applyDecorators(
    ApiTags(tag),
    ApiPispOperation(text, { ...said, ...(to !== undefined && { params: [to] }) }, answers),
    ApiPispPost(text, bodies, examples, there),
  );
}

function success({ document, ...said }: Operation['answer'], headers: Answer['headers']): Answer {
  return document === undefined ? bodiless(said.description) : jsonAnswer(document, { ...said, headers });
}

/**
 * @param path of the resource
 * @param beside members besides Data, Links and Meta
 * @returns an answer of the examples
 */
export function exampleAnswer(
  { prefix }: Pick<PaymentText, 'prefix'>,
  path: string,
  Data: object,
  beside: object = {},
) {
  return { Data, ...beside, Links: { Self: `${exampleAddresses.baseUrl}/${prefix}/${path}` }, Meta: {} };
}

export const exampleTimes = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };
