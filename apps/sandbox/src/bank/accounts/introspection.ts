import type { Agent } from 'node:https';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import type { Credential } from '../../trust/trust-framework.js';

const timeoutMilliseconds = 5_000;
const maxAnswerBytes = 1_048_576;

/** What the service says of a token (RFC 7662 s2.2), as far as account access needs it. */
export interface TokenAnswer {
  active: boolean;
  scope?: string;
  /** the bank's own id of the customer */
  sub?: string;
  /** RFC 8705 s3.2 */
  cnf?: { 'x5t#S256'?: string };
  /** RFC 9396 s9.2 */
  authorization_details?: readonly AccessDetails[];
}

/** What a customer has agreed to. */
export interface AccessDetails {
  type: string;
  api_version: string;
  permissions: readonly string[];
  accounts: readonly { SchemeName: string; Identification: string }[];
}

/**
 * Asks the service's introspection endpoint, as a server of the bank. Nothing is cached, so a withdrawal takes effect
 * with the next request.
 */
export class Introspection {
  readonly #url: URL;
  readonly #agent: Agent;

  /**
   * @param options.ca PEM of the authority of the endpoint's server
   * @param options.credential by which the service knows this server
   */
  constructor({ url, ca, credential }: { url: string; ca: string; credential: Credential }) {
    const key = credential.privateKey.export({ type: 'pkcs8', format: 'pem' });
    this.#url = new URL(url);
    this.#agent = createOutgoingAgent({ ca, cert: credential.certificate, key });
  }

  /** @throws Error if the service does not answer as it should */
  async ask(token: string): Promise<TokenAnswer> {
    const { status, text } = await exchange({
      url: this.#url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: Buffer.from(new URLSearchParams({ token }).toString()),
      agent: this.#agent,
      patience: timeoutMilliseconds,
      maxBytes: maxAnswerBytes,
      isRepeatable: true,
    });
    if (status !== 200) throw new Error(`The introspection endpoint answered ${status}.`);
    return JSON.parse(text) as TokenAnswer;
  }

  stop(): void {
    this.#agent.destroy();
  }
}
