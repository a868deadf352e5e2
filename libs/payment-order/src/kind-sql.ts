/**
 * @param orders SQL that gives the `consentId` of each
 * @param order of the result
 * @returns SQL that gives the kind of each, too: read only for those, and on every node of a distributed database
 */
export const withKind = (orders: string, order: string): string => `
  SELECT orders.*, consent.kind FROM (${orders}) AS orders
    JOIN payment_consents AS consent ON consent.consent_id = orders."consentId"
   ORDER BY ${order}`;
