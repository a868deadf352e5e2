import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import type { BankApi, Operation } from './bank-api.js';

const maxAnswerBytes = 1_048_576;

/** Where the bank is, and how it lets the service in. */
export interface BankAddress {
  readonly url: string;
  /** PEM */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly timeoutMilliseconds: number;
}

/** One call of an operation. */
export interface BankCall {
  /** parameters of the path, by name */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** it differs from the document on purpose */
  readonly isInvalid?: true;
}

/** What the answer must be. */
export interface Expected {
  /** any of them */
  readonly status: number | readonly number[];
  /** members of the answer */
  readonly members?: Readonly<Record<string, unknown>>;
}

export interface BankAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request and its answer, for the report. */
export interface Exchange {
  readonly asked: string;
  /** JSON, without passwords and codes */
  readonly sent?: string;
  readonly came: string;
  readonly mustCome: string;
}

/** The bank does not do what it must. */
export class BankFault extends Error {
  override readonly name = 'BankFault';
}

/** The bank lacks an operation that it may lack. */
export class NotOfferedError extends Error {
  override readonly name = 'NotOfferedError';
}

/** Asks the bank, and compares each answer with the document and with what the step expects. */
export class BankUnderTest {
  /** since {@link takeExchanges} */
  #exchanges: Exchange[] = [];
  readonly #agent;

  constructor(
    readonly api: BankApi,
    private readonly address: BankAddress,
  ) {
    // @cryptography TLS 1.2 or 1.3 | BANK_CLIENT_PRIVATE_KEY | `obp bank check` calls the bank as the service does
    this.#agent = createOutgoingAgent({ ca: address.ca, cert: address.certificate, key: address.key });
  }

  /** @throws BankFault, NotOfferedError */
  async ask(operationId: string, call: BankCall, expected: Expected): Promise<BankAnswer> {
    const operation = this.api.get(operationId);
    const fault = call.isInvalid ? undefined : this.api.findRequestFault(operation, call.body);
    if (fault !== undefined) throw new TypeError(`The request of ${operationId} is wrong: ${fault}`);
    const asked = `${operation.method} ${operation.path}`;
    const mustCome = describe(expected);
    const sent = call.body && { sent: JSON.stringify(call.body, withoutSecrets) };
    const note = (came: string): void => void this.#exchanges.push({ asked, ...sent, came, mustCome });
    const answer = await this.#send(operation, call).catch((error: Error) => {
      note(error.message);
      throw new BankFault(error.message, { cause: error });
    });
    note(`${answer.status} ${answer.text}`.trim());
    const statuses = [expected.status].flat();
    if (answer.status === 404 && operation.isOptional && !statuses.includes(404)) {
      throw new NotOfferedError('The bank does not offer it.');
    }
    if (!statuses.includes(answer.status))
      throw new BankFault(`status ${answer.status}, must be ${statuses.join(' or ')}`);
    const body = parse(answer.text);
    const differs = this.api.findAnswerFault(operation, answer.status, body);
    if (differs !== undefined) throw new BankFault(differs);
    for (const [name, value] of Object.entries(expected.members ?? {})) {
      const found = Reflect.get(Object(body), name);
      if (!isDeepStrictEqual(found, value)) {
        throw new BankFault(`${name} is ${JSON.stringify(found)}, must be ${JSON.stringify(value)}`);
      }
    }
    return { status: answer.status, body: (body ?? {}) as BankAnswer['body'] };
  }

  /** Without a client certificate. The bank may end the connection, or give any answer but 2xx. */
  async askAsStranger(operationId: string, body: object): Promise<void> {
    const operation = this.api.get(operationId);
    const agent = createOutgoingAgent({ ca: this.address.ca });
    const came = await this.#send(operation, { body }, agent).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    agent.destroy();
    const asked = `${operation.method} ${operation.path} without a client certificate`;
    this.#exchanges.push({ asked, came, mustCome: 'no connection, or a refusal' });
    if (came.startsWith('2')) throw new BankFault('it answers a caller without a client certificate');
  }

  takeExchanges(): readonly Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(operation: Operation, call: BankCall, agent = this.#agent): Promise<{ status: number; text: string }> {
    const { url, timeoutMilliseconds } = this.address;
    const { parameters = {}, headers = {}, body } = call;
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(parameters[name] ?? ''),
    );
    const base = new URL(url);
    return exchange({
      url: base,
      path: `${base.pathname.replace(/\/$/, '')}${path}`,
      method: operation.method,
      headers: {
        accept: 'application/json',
        'x-fapi-interaction-id': randomUUID(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && Buffer.from(JSON.stringify(body)),
      agent,
      patience: timeoutMilliseconds,
      maxBytes: maxAnswerBytes,
      isRepeatable: false,
    });
  }
}

function describe({ status, members }: Expected): string {
  return [[status].flat().join(' or '), members && JSON.stringify(members)].filter(Boolean).join(' ');
}

const withoutSecrets = (name: string, value: unknown): unknown =>
  name === 'password' || name === 'oneTimeCode' ? '...' : value;

/** @returns undefined for an empty body, or one that is not JSON: the document says whether there must be one */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
