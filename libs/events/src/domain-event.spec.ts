import { describe, expect, it } from '@jest/globals';
import { type DomainEvent, toSecurityEventClaims } from './domain-event.js';

const statusOf = (apiVersion: string, status: string, resourceType = 'file-payment'): unknown => {
  const event = { apiVersion, status, resourceType, occurredAt: new Date() } as DomainEvent;
  const { events } = toSecurityEventClaims(event, { resourceUrl: 'https://bank/r', issuer: 'i', now: new Date() });
  return Object.values(events as Record<string, { status: string }>)[0]?.status;
};

describe('the status in an event', () => {
  it.each([
    ['3.1', 'AwaitingAuthorisation', 'AwaitingAuthorisation'],
    ['3.1', 'InitiationCompleted', 'InitiationCompleted'],
    ['3.1', 'Expired', 'Revoked'],
    ['3.1', 'Withdrawn', 'Authorised'],
    ['4.0', 'AwaitingAuthorisation', 'AWAU'],
    ['4.0', 'Consumed', 'COND'],
    ['4.0', 'InitiationCompleted', 'INCO'],
    ['4.0', 'Withdrawn', 'CANC'],
    ['4.0', 'Expired', 'EXPD'],
  ])('for a resource of %s in the state %s is %s, as in the resource itself', (version, status, expected) => {
    expect(statusOf(version, status)).toBe(expected);
  });

  it('DP-035: for a single payment is never that of its order', () => {
    for (const status of ['InitiationPending', 'InitiationCompleted', 'InitiationFailed']) {
      expect(statusOf('3.1', status, 'domestic-payment')).toBeUndefined();
      expect(statusOf('4.0', status, 'domestic-payment')).toBeUndefined();
    }
    expect(statusOf('4.0', 'Consumed', 'domestic-payment-consent')).toBe('COND');
  });
});
