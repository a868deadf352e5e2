/** What a person decided about a file payment, or all of a client's. */
export interface Intervention {
  readonly kind: 'rejected' | 'stopped' | 'suspended' | 'left';
  /** whom it is about */
  readonly filePaymentId?: string;
  readonly clientId?: string;
  readonly psuId?: string;
  /** when it was answered, so that it counts from then on; Infinity: it was only asked for */
  from: number;
  /** when it began to be taken back; Infinity: never */
  until: number;
  /** when it was taken back; Infinity: never */
  endedAt: number;
}

/** What was under way when something ended is still answered for so long. */
const echoMilliseconds = 5_000;

/** Everything that was decided while the service ran. */
export class History {
  readonly interventions: Intervention[] = [];

  /** Notes that something is asked for. */
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

  /** @returns whether the same is stopped now */
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
