import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Config } from '#libs/config';
import type { PublicJwk } from '#libs/jws';

/** The service's public signing keys (RFC 7517 s5), for ID tokens and response signatures. */
@Controller('oauth2/jwks')
export class JwksController {
  readonly #keys: readonly PublicJwk[];

  constructor(@Inject(Config) config: Pick<Config, 'signing'>) {
    this.#keys = config.signing.keys.map(({ publicJwk }) => publicJwk);
  }

  // Ten minutes: a key is published at least that long before it signs, and withdrawn that long after its last use.
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=600')
  getKeys(): { keys: readonly PublicJwk[] } {
    return { keys: this.#keys };
  }
}
