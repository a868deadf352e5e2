import { Injectable } from '@nestjs/common';
import {
  type ClientRegistration,
  type RegistrationOutcome,
  toClientRegistrationResponse,
} from '#libs/client-registration';
import { Config } from '#libs/config';
import { registrationEndpoint } from './registration-address.js';

/** The bodies and addresses of registrations under this service's own address. */
@Injectable()
export class RegistrationAnswers {
  readonly #registrationEndpoint: string;

  readonly #profile: Config['profile'];

  constructor(config: Config) {
    this.#profile = config.profile;
    this.#registrationEndpoint = registrationEndpoint(config);
  }

  /** OBClientRegistration1, with the secret if one was issued. */
  toResponse({ registration, clientSecret }: RegistrationOutcome): Record<string, unknown> {
    const registrationEndpoint = this.#registrationEndpoint;
    return toClientRegistrationResponse({ registration, registrationEndpoint, clientSecret, profile: this.#profile });
  }

  /** `Location` of a new registration. */
  addressOf({ clientId }: ClientRegistration): string {
    return `${this.#registrationEndpoint}/${clientId}`;
  }
}
