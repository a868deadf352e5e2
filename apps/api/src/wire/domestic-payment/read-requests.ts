import { readDomesticPayment } from '#libs/domestic-payment';
import { anyBank } from '#libs/obie-rules';
import { findDifference, findInitiationMismatch } from '../file-payment/read/find-initiation-mismatch.js';
import { verifyCompletion } from '../file-payment/read/read-requests.js';
import { toShown } from '../file-payment/read/to-initiation.js';
import { readBody } from '../form/read-body.js';
import { SoundMembers } from '../form/sound-members.js';
import type { DomesticInitiation, DomesticWire } from '../wire.js';
import type { DomesticForms } from './version.js';

type Read = DomesticWire['read'];

/** An unknown member is a fault in every version: with an ignored date, the payment would be made at once. */
const strict = { isClosed: true };
const initiationPath = 'Data.Initiation';

/** @returns the readers of the parsed bodies of POST /domestic-payment-consents and POST /domestic-payments */
export function createRequestReaders(forms: DomesticForms): Read {
  return { consent: createConsentReader(forms), payment: createPaymentReader(forms) };
}

function createConsentReader({ consent, format, known }: DomesticForms): Read['consent'] {
  return (document, now, bank) => {
    const { body, faults: formFaults } = readBody(consent, document, strict);
    const sound = new SoundMembers(formFaults);
    const read = sound.has(initiationPath)
      ? readDomesticPayment(body.Data.Initiation, { format, bank, now })
      : undefined;
    const faults = [
      ...formFaults,
      ...(read !== undefined && 'faults' in read ? read.faults : []),
      ...(sound.has('Data.Authorisation.CompletionDateTime') ? verifyCompletion(body.Data.Authorisation, now) : []),
    ];
    if (faults.length > 0 || read === undefined || 'faults' in read) return { faults };
    const { Initiation, ...conditions } = body.Data;
    return {
      consent: {
        initiation: known(Initiation) as DomesticInitiation,
        terms: read.terms,
        list: read.list,
        conditions: toShown(conditions),
        risk: toShown(body.Risk),
      },
    };
  };
}

function createPaymentReader({ payment, format, known }: DomesticForms): Read['payment'] {
  return (document, now) => {
    const { body, faults: formFaults } = readBody(payment, document, strict);
    const isSound = new SoundMembers(formFaults).has(initiationPath);
    const read = isSound ? readDomesticPayment(body.Data.Initiation, { format, bank: anyBank, now }) : undefined;
    const faults = [...formFaults, ...(read !== undefined && 'faults' in read ? read.faults : [])];
    if (faults.length > 0) return { faults };
    const { ConsentId: consentId, Initiation } = body.Data;
    const sent = known(Initiation);
    const risk = toShown(body.Risk);
    return {
      payment: {
        consentId,
        findMismatch: (agreed, agreedRisk) =>
          findInitiationMismatch(agreed, sent) ?? findDifference(agreedRisk, risk, 'Risk'),
      },
    };
  };
}
