import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { callOf } from '#libs/command-line';
import { addressOfVersion, type ApiVersion, assertServed } from '../read-write/api-version.js';
import { AccountAccessClient } from '../read-write/account-access-client.js';
import { FundsConfirmationClient } from '../read-write/funds-confirmation-client.js';
import { HttpsClient, type HttpsExchange, type HttpsRequest, type HttpsResponse } from '../https-client.js';
import { JourneyError, sendExpecting, UnexpectedStatusError } from '../journey-error.js';
import {
  type Asked,
  type AuthorizationRequest,
  createAuthorizationRequest,
  pushAuthorizationRequest,
} from '../oauth/authorization-request.js';
import type { AuthenticatedClient } from '../oauth/client-authentication.js';
import { discover, fetchProviderKeys, type ProviderKeys, type ProviderMetadata } from '../oauth/provider.js';
import type { AuthMethod } from '../oauth/register.js';
import { requestToken, type TokenGrant, type TokenResponse } from '../oauth/request-token.js';
import type { Profile } from '../profile/profile.js';
import { PaymentsClient } from '../read-write/payments-client.js';
import type { ReadWriteClientOptions } from '../read-write/read-write-client.js';
import { StateFolder, type KeptRequest, type KeptToken, type State } from '../profile/state.js';
import { type Journey, journeys, type PaymentKind, type Purpose } from '../purpose.js';
import { loadTppCredentials, type TppCredentials } from '../tpp-credentials.js';
import { toCurl, ShownInstead } from './curl.js';
import { explainSigned } from './explain-signed.js';
import type { Output } from './output.js';

/** A token that expires within this time is renewed. */
const tokenReserveMilliseconds = 10_000;

/** How a command wants its requests made and told. */
interface SessionOptions {
  readonly output: Output;
  readonly isCurl: boolean;
  readonly isExplained: boolean;
  /** of the Read/Write API; undefined: that of the last consent */
  readonly version: ApiVersion | undefined;
}

/** One TPP and one bank, with the state of earlier commands. */
export class Session {
  readonly folder: StateFolder;
  /** HTTPS with the TPP's certificate; with --curl, shows its first request and ends the command */
  readonly client: HttpsClient;
  /** the same, but it always sends */
  readonly quietClient: HttpsClient;
  readonly browserClient: HttpsClient;
  readonly #exchanges: (HttpsExchange & { readonly at: Date })[] = [];
  #provider: ProviderMetadata | undefined;
  #keys: ProviderKeys | undefined;

  private constructor(
    readonly profile: Profile,
    readonly credentials: TppCredentials,
    /** PEM of the authorities to trust */
    readonly ca: string | undefined,
    private readonly options: SessionOptions,
  ) {
    this.folder = new StateFolder(profile.stateFolder);
    const onExchange = (exchange: HttpsExchange): void => void this.#exchanges.push({ ...exchange, at: new Date() });
    const anchors = ca === undefined ? {} : { ca };
    const identity = { certificate: credentials.transportCertificate, privateKey: credentials.transportKey };
    this.quietClient = new HttpsClient({ ...anchors, ...identity, onExchange });
    this.client = options.isCurl
      ? new CurlClient({ ...anchors, ...identity }, (request) => this.#show(request))
      : this.quietClient;
    this.browserClient = new HttpsClient({ ...anchors, onExchange });
  }

  /** Reads keys, certificates and software statement of the profile. */
  static async open(profile: Profile, options: SessionOptions): Promise<Session> {
    const { output, isExplained, version } = options;
    if (version !== undefined && profile.served !== undefined) assertServed(version, profile.served);
    const [credentials, ca] = await Promise.all([
      loadTppCredentials(profile.tpp),
      profile.caFile === undefined ? undefined : readFile(profile.caFile, 'utf8'),
    ]);
    const all: object[] = [];
    const onSign: TppCredentials['onSign'] = (signed) => {
      for (const line of explainSigned(signed)) output.line(line);
      const { kind, header } = signed;
      all.push(kind === 'jwt' ? { kind, header, claims: signed.claims } : { kind, header, bytes: signed.body.length });
      output.add({ signed: all });
    };
    return new Session(profile, isExplained ? { ...credentials, onSign } : credentials, ca, options);
  }

  /** The bank's discovery document. */
  async provider(): Promise<ProviderMetadata> {
    this.#provider ??= await discover(this.quietClient, this.profile.discoveryUri);
    return this.#provider;
  }

  /** The bank's public keys. */
  async keys(): Promise<ProviderKeys> {
    this.#keys ??= await fetchProviderKeys(this.quietClient, (await this.provider()).jwks_uri);
    return this.#keys;
  }

  /** The state of earlier commands at this bank. */
  async state(): Promise<State> {
    const state = await this.folder.load();
    return { ...state, ...(this.profile.clientId === undefined ? {} : { clientId: this.profile.clientId }) };
  }

  /** @throws JourneyError if the TPP has not registered here */
  async clientId(): Promise<string> {
    const { clientId } = await this.state();
    if (clientId === undefined) throw new JourneyError(`there is no client yet: run "${callOf('tpp')} register" first`);
    return clientId;
  }

  async requestToken(grant: TokenGrant, client: HttpsClient = this.quietClient): Promise<TokenResponse> {
    return requestToken({ client, grant, ...(await this.#authenticated()) });
  }

  /** Makes a request for the customer's approval as the client's security profile demands; FAPI 2.0 pushes it. */
  async authorizationRequest(asked: Asked): Promise<AuthorizationRequest> {
    const { fapiProfile = 'fapi1-advanced' } = await this.state();
    const authenticated = await this.#authenticated();
    return fapiProfile === 'fapi1-advanced'
      ? createAuthorizationRequest({ ...asked, ...authenticated })
      : pushAuthorizationRequest({ ...asked, ...authenticated, client: this.client, fapiProfile });
  }

  async #authenticated(): Promise<AuthenticatedClient> {
    const { authMethod } = await this.state();
    return {
      provider: await this.provider(),
      credentials: this.credentials,
      clientId: await this.clientId(),
      authMethod: authMethod === 'tls_client_auth' ? authMethod : ('private_key_jwt' satisfies AuthMethod),
    };
  }

  /**
   * Sends a request with the client's stored token, renewed shortly before it expires. A token may end early (revoked,
   * or the sandbox let time pass), so after a 401 the request is sent once more with a new token.
   * @param use sends the request with the given access token; a 401 means that it had no effect
   * @param scope that the token must have
   * @throws UnexpectedStatusError of `use`
   */
  async withAccessToken<Answer>(
    use: (accessToken: string) => Promise<Answer>,
    scope: Purpose = 'payments',
  ): Promise<Answer> {
    const { token } = await this.state();
    try {
      return await use(await this.#accessToken(scope));
    } catch (error) {
      if (token === undefined || !isTokenRefused(error)) throw error;
    }
    await this.folder.update({ token: undefined });
    return use(await this.#accessToken(scope));
  }

  /** Reads or deletes the registration of the client. */
  async callRegistration(method: 'GET' | 'DELETE', client: HttpsClient = this.client): Promise<HttpsResponse> {
    const url = `${(await this.provider()).registration_endpoint}/${await this.clientId()}`;
    return this.withAccessToken((accessToken) => {
      const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
      return sendExpecting(method === 'GET' ? 200 : 204, client, { method, url, headers });
    });
  }

  async #accessToken(scope: Purpose): Promise<string> {
    const { token } = await this.state();
    const isGood =
      token !== undefined &&
      token.scope.split(' ').includes(scope) &&
      token.expiresAt - Date.now() > tokenReserveMilliseconds;
    if (isGood) return token.value;
    this.options.output.progress('getting a token');
    const fresh = await this.requestToken({ grant_type: 'client_credentials', scope });
    await this.folder.update({ token: toKept(fresh) });
    return fresh.access_token;
  }

  /** @returns the version of the command line, or of the journey's last consent */
  async versionOf(journey: Journey): Promise<ApiVersion> {
    return this.options.version ?? (await this.state())[journey]?.version ?? this.profile.version;
  }

  /** @param known version of the resource */
  async payments(kind: PaymentKind, known?: ApiVersion): Promise<PaymentsClient> {
    const { credentials } = this;
    return new PaymentsClient(kind, { ...(await this.#options(kind, known)), credentials, keys: await this.keys() });
  }

  async accountAccess(): Promise<AccountAccessClient> {
    return new AccountAccessClient(await this.#options('access'));
  }

  async fundsConfirmation(): Promise<FundsConfirmationClient> {
    return new FundsConfirmationClient(await this.#options('funds'));
  }

  async #options(journey: Journey, known?: ApiVersion): Promise<ReadWriteClientOptions> {
    const version = known ?? (await this.versionOf(journey));
    const baseUrl = addressOfVersion(this.profile.addresses[journeys[journey].scope], version);
    return { client: this.client, version, baseUrl };
  }

  /**
   * @param named the consent; undefined: the last one of the journey
   * @throws JourneyError if none is named and none was staged here
   */
  async consentId(journey: Journey, named?: string): Promise<string> {
    const consentId = named ?? (await this.state())[journey]?.consentId;
    if (consentId !== undefined) return consentId;
    throw new JourneyError(`there is no consent yet: run "${callOf('tpp')} ${journeys[journey].staging}" first`);
  }

  /** @returns the journey of a consent; that of the last consent if none is named, or it was staged elsewhere */
  async journeyOf(named: string | undefined): Promise<Journey> {
    const { lastConsent = 'file-payment', consents = [], ...state } = await this.state();
    if (named === undefined) return lastConsent;
    const last = (Object.keys(journeys) as Journey[]).find((journey) => state[journey]?.consentId === named);
    return last ?? consents.find(({ consentId }) => consentId === named)?.kind ?? lastConsent;
  }

  /**
   * The token of the customer who approved a consent.
   * @param named undefined: the last one of the journey
   * @throws JourneyError if there is none, or it has ended
   */
  async customerToken(journey: Journey, named?: string): Promise<string> {
    const consentId = await this.consentId(journey, named);
    const last = (await this.state())[journey];
    const token = last?.consentId === consentId ? last.token : undefined;
    if (token !== undefined && token.expiresAt > Date.now()) return token.value;
    const cure = `${callOf('tpp')} authorise --consent ${consentId}`;
    throw new JourneyError(`there is no valid token from the customer: run "${cure}"`);
  }

  /** The last exchange, successful or not. */
  get lastExchange(): HttpsExchange | undefined {
    return this.#exchanges.at(-1);
  }

  /** The last exchange that the bank refused. */
  get lastRefused(): HttpsExchange | undefined {
    return this.#exchanges.findLast(({ response }) => isRefusal(response));
  }

  /** Closes the connections, and notes the requests for `why`; that they cannot be noted changes no result. */
  async close(): Promise<void> {
    for (const client of [this.client, this.quietClient, this.browserClient]) client.close();
    const kept = this.#exchanges.map(toKeptRequest).filter(({ interactionId }) => interactionId !== '');
    await this.folder.note(kept).catch((error: Error) => this.options.output.progress(error.message));
  }

  async #show(request: HttpsRequest): Promise<void> {
    const { transport_cert_file: cert, transport_key_file: key } = this.profile.tpp;
    const curl = await toCurl(request, { folder: this.folder, files: { cert, key, ca: this.profile.caFile } });
    this.options.output.line(curl);
    this.options.output.add({ curl });
  }
}

/** Shows the request instead of sending it. */
class CurlClient extends HttpsClient {
  constructor(
    options: ConstructorParameters<typeof HttpsClient>[0],
    private readonly show: (request: HttpsRequest) => Promise<void>,
  ) {
    super(options);
  }

  override async send(request: HttpsRequest): Promise<HttpsResponse> {
    await this.show(request);
    throw new ShownInstead('the request was shown and not sent');
  }
}

/** @returns whether the bank no longer accepts the token (RFC 6750 s3.1) */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof UnexpectedStatusError && error.status === 401;
}

/** @returns a token response in the form in which it is stored */
export function toKept({ access_token: value, scope, expires_in: seconds }: TokenResponse): KeptToken {
  return { value, scope, expiresAt: Date.now() + seconds * 1_000 };
}

/** The bank refuses by a status, or by an error in the address to which it sends the customer back. */
function isRefusal({ status, headers: { location = '' } }: HttpsResponse): boolean {
  if (status >= 400 || /[?#&]error=/.test(location)) return true;
  const [, response] = /[?#&]response=([\w.-]+)/.exec(location) ?? []; // JARM s2.3
  try {
    return response !== undefined && 'error' in decodeJwt(response);
  } catch {
    return false;
  }
}

function toKeptRequest({ request, response, at }: HttpsExchange & { readonly at: Date }): KeptRequest {
  const interactionId = response.headers['x-fapi-interaction-id'];
  return {
    at: at.toISOString(),
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    ...(isRefusal(response) && { isRefused: true }),
    interactionId: typeof interactionId === 'string' ? interactionId : '',
  };
}
