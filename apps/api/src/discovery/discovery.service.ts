import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import { createOpenidConfiguration } from './openid-configuration.js';

/** The document as bytes, the same at every address. */
@Injectable()
export class DiscoveryService {
  readonly body: Buffer;
  readonly etag: string;

  constructor(config: Config) {
    this.body = Buffer.from(JSON.stringify(createOpenidConfiguration(config)));
    // @cryptography SHA-256 | none | the ETag of the discovery document
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url')}"`;
  }

  /**
   * @param ifNoneMatch value of the header
   * @returns whether the client already has this document; weak comparison (RFC 9110 s13.1.2)
   */
  isKnown(ifNoneMatch: string | undefined): boolean {
    const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(this.etag);
  }
}
