import { accessStates31, accessStates40, paymentStates40 } from '#libs/obie-rules';

/** A change of a consent or a payment order. */
export interface DomainEvent {
  readonly eventId: string;
  /**
   * `consent.status`; with the kind before it `.status`, `.approval`, `.held` or `.payments`, as in
   * `file-payment.status`; for the bank itself `.difference` and `consent.difference`
   */
  readonly eventType: string;
  /** in the singular, as the path has it: `file-payment-consent`, `file-payment`, `account-access-consent` … */
  readonly resourceType: string;
  readonly resourceId: string;
  /** of the Read/Write API in which the resource was made, e.g. 3.1 */
  readonly apiVersion: string;
  /** the TPP whose resource it is */
  readonly clientId: string;
  /** of the resource, or of its order, after the change; the receiver gets it as its version names it */
  readonly status: string;
  readonly occurredAt: Date;
  /** how often delivery was tried, this time included */
  readonly attempts: number;
}

/** The states that a version of the API names in its own way. */
const stateNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '3.1': accessStates31,
  '4.0': { ...accessStates40, ...paymentStates40 },
};

/** Whether the state is that of an order, which only files show. A TPP reads the state of a single payment. */
const isOfOrder = ({ resourceType, status }: DomainEvent): boolean =>
  status.startsWith('Initiation') && !resourceType.startsWith('file-');

const resourceUpdate = 'urn:uk:org:openbanking:events:resource-update';
const namespace = 'http://openbanking.org.uk';

/**
 * The claims of the event as a security event token (RFC 8417) of the standard's type resource-update (Read/Write API,
 * event notification). It adds the kind of change and the state to the standard's subject.
 * @param resourceUrl address of the resource at the API
 * @param issuer of this service's tokens
 */
export function toSecurityEventClaims(
  event: DomainEvent,
  { resourceUrl, issuer, now }: { resourceUrl: string; issuer: string; now: Date },
): Record<string, unknown> {
  return {
    iss: issuer,
    iat: Math.floor(now.getTime() / 1_000),
    jti: event.eventId,
    aud: event.clientId,
    sub: resourceUrl,
    txn: event.eventId,
    toe: Math.floor(event.occurredAt.getTime() / 1_000),
    events: {
      [resourceUpdate]: {
        subject: {
          subject_type: `${namespace}/rid_${namespace}/rty`,
          [`${namespace}/rid`]: event.resourceId,
          [`${namespace}/rty`]: event.resourceType,
          [`${namespace}/rlk`]: [{ version: `v${event.apiVersion}`, link: resourceUrl }],
        },
        change: event.eventType,
        ...(isOfOrder(event) ? {} : { status: stateNames[event.apiVersion]?.[event.status] ?? event.status }),
      },
    },
  };
}
