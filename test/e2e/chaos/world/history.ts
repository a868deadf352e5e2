/** An operator's decision about a file payment, or about all of a client's. */
export interface Intervention {
  readonly kind: 'rejected' | 'stopped' | 'suspended' | 'left';
  /** whom it is about */
  readonly filePaymentId?: string;
  readonly clientId?: string;
  readonly psuId?: string;
  /** when it was answered, from which it applies; Infinity: only requested */
  from: number;
  /** when its reversal was requested; Infinity: never */
  until: number;
  /** when it was reversed; Infinity: never */
  endedAt: number;
}

/** Time within which requests in progress are still answered after a change. */
const echoMilliseconds = 5_000;

/** Every decision while the service ran. */
export class History {
  readonly interventions: Intervention[] = [];

  /** Records a requested decision. */
  announce(intervention: Pick<Intervention, 'kind' | 'filePaymentId' | 'clientId' | 'psuId'>): Intervention {
    const noted: Intervention = { ...intervention, from: Infinity, until: Infinity, endedAt: Infinity };
    this.interventions.push(noted);
    return noted;
  }

  /**
   * @param since when it was sent
   * @returns whether a request of a client may be refused now
   */
  isSuspended(id: string, since = Date.now()): boolean {
    return this.interventions.some(
      ({ kind, clientId, endedAt }) => kind === 'suspended' && clientId === id && since < endedAt + echoMilliseconds,
    );
  }

  /** @returns whether its payments are stopped now */
  isStopped(about: Pick<Intervention, 'filePaymentId' | 'clientId' | 'psuId'>): boolean {
    const { filePaymentId, clientId, psuId } = about;
    return this.interventions.some(
      (each) =>
        each.kind === 'stopped' &&
        each.endedAt === Infinity &&
        each.filePaymentId === filePaymentId &&
        each.clientId === clientId &&
        each.psuId === psuId,
    );
  }
}
