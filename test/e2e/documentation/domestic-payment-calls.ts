import { randomUUID } from 'node:crypto';
import { type Approved, anInitiation, aRisk, DomesticTpp, pathOf } from '../domestic-payments/domestic-world.js';
import type { Call } from './document-driver.js';

/** How the operations on single domestic payments are called in one version. */
export class DomesticPaymentCalls {
  private constructor(
    readonly tpp: DomesticTpp,
    /** an authorised consent that nobody pays */
    private readonly open: Approved,
    private readonly paid: Approved & { readonly path: string },
  ) {}

  /** Makes a payment for the operations. */
  static async prepare(tpp: DomesticTpp): Promise<DomesticPaymentCalls> {
    const [open, approved] = [await tpp.approve(await tpp.stage()), await tpp.approve(await tpp.stage())];
    return new DomesticPaymentCalls(tpp, open, { ...approved, path: pathOf(await tpp.payFor(approved)) });
  }

  /** a token that a customer has approved */
  get customerToken(): string {
    return this.open.accessToken;
  }

  /** By the name of the operation, a request that it answers with its 2xx. */
  readonly makers: Record<string, () => Call | Promise<Call>> = {
    CreateDomesticPaymentConsents: () =>
      this.post(JSON.stringify({ Data: { Initiation: anInitiation(this.tpp.version) }, Risk: aRisk })),
    GetDomesticPaymentConsentsConsentId: () => this.#get(this.#consentPath()),
    GetDomesticPaymentConsentsConsentIdFundsConfirmation: () =>
      this.#get(`${this.#consentPath()}/funds-confirmation`, this.customerToken),
    CreateDomesticPayments: async () => this.#pay(await this.tpp.approve(await this.tpp.stage())),
    GetDomesticPaymentsDomesticPaymentId: () => this.#get(this.paid.path),
    GetDomesticPaymentsDomesticPaymentIdPaymentDetails: () => this.#get(`${this.paid.path}/payment-details`),
  };

  /** @returns a payment that is valid except that its consent has been consumed */
  again(): Call {
    return this.#pay(this.paid);
  }

  /** @returns a payment of another consent than that of its token */
  forAnother(): Call {
    return this.#pay({ ...this.paid, accessToken: this.customerToken });
  }

  /** POST with a new idempotency key and a signature over the body, and the token that the operation takes. */
  post(body: string | Buffer, headers: Call['headers'] = {}, name = 'CreateDomesticPaymentConsents'): Call {
    const accessToken = name === 'CreateDomesticPayments' ? this.customerToken : this.tpp.accessToken;
    return {
      body,
      agent: this.tpp.agent,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'x-idempotency-key': randomUUID(),
        'x-jws-signature': this.tpp.signBody(body),
        ...headers,
      },
    };
  }

  #pay({ consentId, accessToken }: Approved): Call {
    const Data = { ConsentId: consentId, Initiation: anInitiation(this.tpp.version) };
    return this.post(JSON.stringify({ Data, Risk: aRisk }), { authorization: `Bearer ${accessToken}` });
  }

  #consentPath(): string {
    return `/domestic-payment-consents/${this.open.consentId}`;
  }

  #get(path: string, accessToken = this.tpp.accessToken): Call {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
    return { headers, agent: this.tpp.agent, path: `/open-banking/v${this.tpp.version}/pisp${path}` };
  }
}
