import { readBody } from '../../form/read-body.js';
import type { Wire } from '../../wire.js';
import type { FilePaymentForms } from '../version.js';
import { findInitiationMismatch } from './find-initiation-mismatch.js';
import { toInitiation } from './to-initiation.js';

/** @returns the reader of the parsed body of POST /file-payments */
export function createPaymentReader({ payment, isClosed }: FilePaymentForms): Wire['read']['payment'] {
  return (document) => {
    const { body, faults } = readBody(payment, document, { isClosed });
    if (faults.length > 0) return { faults };
    const { ConsentId: consentId, Initiation } = body.Data;
    const sent = toInitiation(Initiation);
    return { payment: { consentId, findMismatch: (agreed) => findInitiationMismatch(agreed, sent) } };
  };
}
