import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bodiless, exampleAddresses, jsonAnswer } from '#libs/api-description';
import { bodyNoObject } from '#libs/error-catalogue';
import { type AccessConsentStatus, parseDateTime } from '#libs/obie-rules';
import { ApiJsonBody, ApiPispOperation } from '../file-payment/documents/api-operation.js';
import type { AreaText } from '../file-payment/documents/document-text.js';
import { bodyRefused, headerFault, readRefused } from '../file-payment/documents/ob-answers.js';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import type { AccessWire } from '../wire.js';
import type { AccessShape } from './access-shape.js';
import type { AccessVersion } from './access-version.js';

const params = ['ConsentId'] as const;

/** @returns the documentation of the operations on one kind of access consents in one version */
export function accessDocuments(
  version: AccessVersion,
  shape: AccessShape,
  wire: Pick<AccessWire, 'prefix' | 'write'>,
): AccessWire['documents'] {
  const { kind, classes, text: said } = shape;
  const text: AreaText = { ...version, scope: kind.scope };
  const example = (status: AccessConsentStatus) => exampleOf(shape, wire, status);
  const create = () =>
    applyDecorators(
      ApiTags(said.tag),
      ApiPispOperation(text, said.create, {
        201: jsonAnswer(classes.answer, {
          description: 'The consent, waiting for the customer.',
          headers: ['location'],
          examples: { consent: { summary: 'Staged', value: example('AwaitingAuthorisation') } },
        }),
        400: bodyRefused(text, [...said.bodyFaults, bodyNoObject, headerFault]),
      }),
      ApiJsonBody(text, [classes.request], {
        consent: { summary: said.example.summary, value: said.example.body },
      }),
    );
  const read = () =>
    applyDecorators(
      ApiTags(said.tag),
      ApiPispOperation(
        text,
        { ...said.read, params },
        {
          200: jsonAnswer(classes.answer, {
            description: 'The consent.',
            examples: { approved: { summary: 'The customer has agreed', value: example('Authorised') } },
          }),
          400: readRefused(text, 'ConsentId'),
        },
      ),
    );
  const remove = () =>
    applyDecorators(
      ApiTags(said.tag),
      ApiPispOperation(
        text,
        { ...said.delete, params },
        { 204: bodiless(said.ended), 400: readRefused(text, 'ConsentId') },
      ),
    );
  return { create, read, delete: remove };
}

function exampleOf(
  { kind, text }: AccessShape,
  { prefix, write }: Pick<AccessWire, 'prefix' | 'write'>,
  status: AccessConsentStatus,
): object {
  const at = parseDateTime(exampleTime) ?? new Date(0);
  const consent = {
    consentId: exampleConsentId,
    clientId: '',
    kind: kind.name,
    apiVersion: '',
    status,
    createdAt: at,
    statusUpdatedAt: at,
    terms: text.example.terms,
    accounts: [],
  };
  return write(consent, `${exampleAddresses.baseUrl}/${prefix}/${kind.consents}/${exampleConsentId}`);
}
