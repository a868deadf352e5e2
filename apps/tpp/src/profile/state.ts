import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#libs/command-line';
import type { ApiVersion } from '../read-write/api-version.js';
import { JourneyError } from '../journey-error.js';
import type { AuthorizationRequest } from '../oauth/authorization-request.js';
import type { FapiProfile } from '../oauth/register.js';
import type { PaymentConsent } from '../read-write/payments-client.js';
import type { Journey, PaymentKind } from '../purpose.js';

/** An access token and when it ends, in milliseconds since the epoch. */
export interface KeptToken {
  value: string;
  scope: string;
  expiresAt: number;
}

/** A request that was sent, for `why` and `doctor --request`. */
export interface KeptRequest {
  at: string;
  method: string;
  path: string;
  status: number;
  isRefused?: boolean;
  interactionId: string;
}

/** The last consent of a journey, its version, and the token from its approval. */
export interface KeptJourney {
  consentId: string;
  version: ApiVersion;
  token?: KeptToken | undefined;
}

/** The same for a journey that pays. */
export interface KeptPayment extends KeptJourney {
  /** as the bank has returned it; absent if it was staged elsewhere */
  consent?: PaymentConsent;
  /** absolute path of the payment file */
  file?: string;
  paymentId?: string;
}

/** A consent that was staged, for `list`. */
export interface KeptConsent {
  /** when it was staged */
  at: string;
  consentId: string;
  version: ApiVersion;
  kind: PaymentKind;
  /** name of the payment file, or amount and payee */
  payments: string;
  /** once it was paid */
  paymentId?: string;
}

/** The state that one command leaves for the next. */
export interface State extends Partial<Record<PaymentKind, KeptPayment>> {
  issuer?: string;
  clientId?: string;
  authMethod?: string;
  fapiProfile?: FapiProfile | undefined;
  token?: KeptToken;
  /** what the last consent is for */
  lastConsent?: Journey;
  access?: KeptJourney;
  funds?: KeptJourney;
  /** a customer who was sent to the bank and has not returned */
  authorization?: AuthorizationRequest;
  requests?: KeptRequest[];
  /** the newest last */
  consents?: KeptConsent[];
}

const mostRequests = 50;
const mostConsents = 100;

/** Keeps a {@link State} in a folder that only its owner can read. */
export class StateFolder {
  readonly #file: string;

  constructor(readonly path: string) {
    this.#file = join(path, 'state.json');
  }

  /** @returns the stored state, or an empty one */
  async load(): Promise<State> {
    try {
      return JSON.parse(await readFile(this.#file, 'utf8')) as State;
    } catch {
      // The first command, or a damaged file: start empty.
      return {};
    }
  }

  /** Changes some members; undefined deletes a member. */
  async update(change: Readonly<{ [Name in keyof State]?: State[Name] | undefined }>): Promise<void> {
    const state = { ...(await this.load()), ...change };
    await this.write('state.json', `${JSON.stringify(state, undefined, 2)}\n`);
  }

  /** Notes requests; the newest are kept. */
  async note(requests: readonly KeptRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const { requests: earlier = [] } = await this.load();
    await this.update({ requests: [...earlier, ...requests].slice(-mostRequests) });
  }

  /** Notes a consent, or changes one that was noted; the newest are kept. */
  async noteConsent(consent: Omit<KeptConsent, 'at' | 'payments'> & Partial<KeptConsent>): Promise<void> {
    const { consents = [] } = await this.load();
    const isSame = ({ consentId }: KeptConsent): boolean => consentId === consent.consentId;
    const changed = { ...(consents.find(isSame) ?? { at: new Date().toISOString(), payments: '' }), ...consent };
    await this.update({ consents: [...consents.filter((each) => !isSame(each)), changed].slice(-mostConsents) });
  }

  /**
   * Writes a file into the folder, in one step, for its owner alone.
   * @returns its absolute path
   * @throws JourneyError if that cannot be done
   */
  async write(name: string, content: string | Buffer): Promise<string> {
    const path = join(this.path, name);
    const unfinished = `${path}.${randomUUID()}.new`;
    try {
      await makeFolder(this.path, { mode: 0o700 });
      await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
      await rename(unfinished, path);
      return path;
    } catch (cause) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      const reason = cause instanceof Error ? cause.message : '';
      throw new JourneyError(`the folder ${this.path} cannot keep the state (${reason}): name another with --state`, {
        cause,
      });
    }
  }
}
