import { formatDateTime } from '#libs/obie-rules';
import type { AccessWire, AreaDocument } from '../wire.js';
import { present } from '../file-payment/write/present.js';
import type { AccessShape } from './access-shape.js';
import type { AccessVersion } from './access-version.js';
import { accessDocuments } from './documents.js';

/** @returns one kind of access consents in one version */
export function createAccessWire(version: AccessVersion, shape: AccessShape): AccessWire {
  const { errorBody, areLimitsTold, isClosed } = version;
  const { kind, area, read } = shape;
  const prefix = `${version.root}/${shape.path}`;
  const write = createAccessWriter(version.words, shape);
  const documents = accessDocuments(version, shape, { prefix, write });
  return {
    version: version.version,
    document: documentOf(version, shape),
    isClosed,
    isSigned: false,
    prefix,
    area,
    kind,
    errorBody,
    areLimitsTold,
    refusals: {},
    read,
    write,
    documents,
  };
}

function documentOf(version: AccessVersion, { document }: AccessShape): AreaDocument {
  const { edition, documentSuffix: suffix } = version;
  return {
    name: `${document.name}${suffix.name}`,
    title: `${document.title}${suffix.title}`,
    edition,
    description: document.describe(version),
    tags: document.tags,
  };
}

/**
 * OBReadConsentResponse1, OBFundsConfirmationConsentResponse1: the whole resource, without members that have no value.
 */
function createAccessWriter(
  { stateName, reasons }: AccessVersion['words'],
  { writeTerms, besideData = {} }: Pick<AccessShape, 'writeTerms' | 'besideData'>,
): AccessWire['write'] {
  return (consent, self) => ({
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: stateName(consent.status),
      ...present('StatusReason', reasons?.(consent)),
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...writeTerms(consent.terms),
    },
    ...besideData,
    Links: { Self: self },
    Meta: {},
  });
}
