import { Controller, Get } from '@nestjs/common';
import { Config } from '#libs/config';
import { discoveryAddress } from '#libs/http-server';

/** The bare address names the service and its discovery document. */
@Controller()
export class FrontController {
  readonly #answer: Readonly<Record<string, string>>;

  constructor(config: Config) {
    this.#answer = {
      service: 'OAuth 2.0 token endpoint',
      openid_configuration: discoveryAddress(config),
      documentation: `${config.baseUrl}/docs`,
    };
  }

  @Get()
  read(): Readonly<Record<string, string>> {
    return this.#answer;
  }
}
