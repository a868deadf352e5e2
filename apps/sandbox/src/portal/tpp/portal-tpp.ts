import { join } from 'node:path';
import { isTokenRefused, toKept } from '../../../../tpp/src/cli/session.js';
import { HttpsClient, type HttpsExchange } from '../../../../tpp/src/https-client.js';
import { UnexpectedStatusError } from '../../../../tpp/src/journey-error.js';
import {
  discover,
  fetchProviderKeys,
  type ProviderKeys,
  type ProviderMetadata,
} from '../../../../tpp/src/oauth/provider.js';
import { register } from '../../../../tpp/src/oauth/register.js';
import { requestToken, type TokenGrant, type TokenResponse } from '../../../../tpp/src/oauth/request-token.js';
import { StateFolder, type KeptToken } from '../../../../tpp/src/profile/state.js';
import type { PaymentKind } from '../../../../tpp/src/purpose.js';
import { addressOf, type ApiVersion, defaultVersion } from '../../../../tpp/src/read-write/api-version.js';
import { PaymentsClient } from '../../../../tpp/src/read-write/payments-client.js';
import { loadTppCredentials, type TppCredentials } from '../../../../tpp/src/tpp-credentials.js';
import { readSandboxDescription, type SandboxTpp } from '../../../../tpp/src/sandbox-description.js';

const tokenReserveMilliseconds = 10_000;

/** What the TPP knows of the bank, and the bank of the TPP. */
export interface PortalClient {
  clientId: string;
  provider: ProviderMetadata;
  keys: ProviderKeys;
  credentials: TppCredentials;
}

interface PortalTppOptions {
  /** files named by absolute paths */
  readonly tpp: SandboxTpp;
  readonly versions: readonly ApiVersion[];
  /** PEM of the sandbox's authority */
  readonly ca: string;
  readonly discoveryUri: string;
  /** where the client id is kept between runs */
  readonly folder: string;
}

/** The portal's TPP: the library of apps/tpp behind web pages instead of a command line. */
export class PortalTpp {
  readonly #folder: StateFolder;
  #client: Promise<PortalClient> | undefined;
  #token: KeptToken | undefined;

  constructor(private readonly options: PortalTppOptions) {
    this.#folder = new StateFolder(options.folder);
  }

  /** Reads the TPP from the sandbox's folder. */
  static async open(directory: string, ca: string, port: number): Promise<PortalTpp> {
    const {
      discovery_uri: discoveryUri,
      portal,
      read_write_versions: served,
    } = await readSandboxDescription(directory);
    // The redirect URI has the port in it, so each port has its own client.
    const folder = join(directory, 'portal', String(port));
    const first = defaultVersion(served);
    const versions = [first, ...served.filter((version) => version !== first)];
    return new PortalTpp({ tpp: portal.tpp, versions, ca, discoveryUri, folder });
  }

  /** Registers at the first use, and again if the bank no longer knows the client. */
  client(http: HttpsClient): Promise<PortalClient> {
    this.#client ??= this.#register(http).catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  /** Versions of the Read/Write API that it uses; the first is the default. */
  get versions(): readonly ApiVersion[] {
    return this.options.versions;
  }

  /** @param onExchange is called with each request and its answer */
  async connect(onExchange: (exchange: HttpsExchange) => void): Promise<HttpsClient> {
    const { transportCertificate: certificate, transportKey: privateKey } = await loadTppCredentials(this.options.tpp);
    return new HttpsClient({ ca: this.options.ca, certificate, privateKey, onExchange });
  }

  /** @returns the payments API of one kind and version */
  async payments(
    client: HttpsClient,
    { kind, version }: { kind: PaymentKind; version: ApiVersion },
  ): Promise<PaymentsClient> {
    const { credentials, keys } = await this.client(client);
    const baseUrl = addressOf('payments', this.options.discoveryUri, version);
    return new PaymentsClient(kind, { client, baseUrl, version, credentials, keys });
  }

  async requestToken(http: HttpsClient, grant: TokenGrant): Promise<TokenResponse> {
    return requestToken({ client: http, ...(await this.client(http)), grant });
  }

  /**
   * Sends something with the client's own token, and once more with a new one if the token ended before its time, e.g.
   * because time was let pass.
   */
  async withAccessToken<Answer>(http: HttpsClient, use: (accessToken: string) => Promise<Answer>): Promise<Answer> {
    const kept = this.#token;
    if (kept !== undefined && kept.expiresAt - Date.now() > tokenReserveMilliseconds) {
      try {
        return await use(kept.value);
      } catch (error) {
        if (!isTokenRefused(error)) throw error;
      }
    }
    this.#token = toKept(await this.#ownToken(http));
    return use(this.#token.value);
  }

  /** Registers again if somebody has deleted the client meanwhile. */
  async #ownToken(http: HttpsClient): Promise<TokenResponse> {
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    try {
      return await this.requestToken(http, grant);
    } catch (error) {
      if (!(error instanceof UnexpectedStatusError) || error.status !== 401) throw error;
    }
    await this.#folder.write('state.json', '{}');
    this.#client = undefined;
    return this.requestToken(http, grant);
  }

  async #register(client: HttpsClient): Promise<PortalClient> {
    const credentials = await loadTppCredentials(this.options.tpp);
    const provider = await discover(client, this.options.discoveryUri);
    const keys = await fetchProviderKeys(client, provider.jwks_uri);
    const { clientId: known, issuer } = await this.#folder.load();
    if (known !== undefined && issuer === provider.issuer) return { clientId: known, provider, keys, credentials };
    const clientId = await register({ client, provider, credentials });
    await this.#folder.update({ clientId, issuer: provider.issuer });
    return { clientId, provider, keys, credentials };
  }
}
