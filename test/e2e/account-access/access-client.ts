import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import { type OfficialArea, OfficialDescription } from '../file-payments/official-description.js';

/** The versions, and what each calls the states. */
export const versions = [
  {
    version: '3.1',
    awaiting: 'AwaitingAuthorisation',
    authorised: 'Authorised',
    rejected: 'Rejected',
    revoked: 'Revoked',
    withdrawn: 'Authorised',
  },
  { version: '4.0', awaiting: 'AWAU', authorised: 'AUTH', rejected: 'RJCT', revoked: 'CANC', withdrawn: 'CANC' },
] as const;

export type Version = (typeof versions)[number]['version'];

/** Where the consents are. */
export const consents = '/account-access-consents';

/**
 * A client as it speaks one version of a kind of access: account access, unless a class says otherwise. It holds every
 * answer against the official description, where that is given.
 */
export class AccessClient {
  /** name of the area in the path */
  protected readonly area: string = 'aisp';
  protected readonly officialArea: OfficialArea = 'ACCOUNTS';
  readonly consents: string = consents;

  constructor(
    readonly client: FapiClient,
    readonly version: Version,
    readonly accessToken: string,
  ) {}

  /** @returns the client with its own token for the scope */
  static async of<Kind extends AccessClient>(
    this: new (client: FapiClient, version: Version, accessToken: string) => Kind,
    client: FapiClient,
    version: Version,
    scope = 'accounts',
  ): Promise<Kind> {
    const response = await client.token({ grant_type: 'client_credentials', scope });
    if (response.status !== 200) throw new Error(`No token: ${response.text}`);
    return new this(client, version, String(response.json()['access_token']));
  }

  url(path: string): string {
    return `${this.client.sandbox.description.base_url}/open-banking/v${this.version}/${this.area}${path}`;
  }

  async send(...[method, path, options]: Parameters<AccessClient['sendUnchecked']>): Promise<TestResponse> {
    const response = await this.sendUnchecked(method, path, options);
    OfficialDescription.of(this.version, this.officialArea)?.check(method, path, response);
    return response;
  }

  sendUnchecked(
    method: string,
    path: string,
    options: { body?: unknown; accessToken?: string; headers?: Record<string, string> } = {},
  ): Promise<TestResponse> {
    const { body, accessToken = this.accessToken, headers } = options;
    return httpsRequest({
      url: this.url(path),
      method,
      agent: this.client.agent,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
  }

  /** A body that is right, with members of Data that differ. */
  request(data: Record<string, unknown> = {}): Record<string, unknown> {
    return aRequest(data);
  }

  /** The path of a consent. */
  consent(consentId: string): string {
    return `${this.consents}/${consentId}`;
  }

  /** Stages a consent. @returns its id */
  async stage(data: Record<string, unknown> = {}): Promise<string> {
    const response = await this.send('POST', this.consents, { body: this.request(data) });
    if (response.status !== 201) throw new Error(`The consent was refused: ${response.text}`);
    return String(dataOf(response)['ConsentId']);
  }

  async status(consentId: string): Promise<unknown> {
    return dataOf(await this.send('GET', this.consent(consentId)))['Status'];
  }
}

/** A body, with members of Data that differ; undefined removes one. */
export function aRequest(data: Record<string, unknown> = {}): Record<string, unknown> {
  return { Data: { Permissions: ['ReadAccountsDetail', 'ReadBalances'], ...data }, Risk: {} };
}

/** @returns `Data` of an answer */
export function dataOf(response: TestResponse): Record<string, unknown> {
  return response.json()['Data'] as Record<string, unknown>;
}

/** @returns the errors of an answer, each as `code path` */
export function errorsOf(response: TestResponse): string[] {
  const { Errors = [] } = response.json() as { Errors?: { ErrorCode: string; Path?: string }[] };
  return Errors.map(({ ErrorCode, Path }) => `${ErrorCode} ${Path ?? ''}`.trim());
}
