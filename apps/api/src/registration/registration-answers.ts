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
  constructor(private readonly config: Config) {}

  /** OBClientRegistration1, with the secret if one was issued. */
  toResponse({ registration, clientSecret }: RegistrationOutcome): Record<string, unknown> {
    const { profile } = this.config;
    const endpoint = registrationEndpoint(this.config);
    return toClientRegistrationResponse({ registration, registrationEndpoint: endpoint, clientSecret, profile });
  }

  /** `Location` of a new registration. */
  addressOf({ clientId }: ClientRegistration): string {
    return `${registrationEndpoint(this.config)}/${clientId}`;
  }
}
