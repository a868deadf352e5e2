import type { AccessWire, AreaDocument } from '../wire.js';
import type { AccessShape } from './access-shape.js';
import type { AccessVersion } from './access-version.js';
import { accessDocuments } from './documents.js';
import { createAccessWriter } from './write-consent.js';

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
