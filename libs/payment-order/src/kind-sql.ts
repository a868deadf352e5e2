/**
 * @param orders SQL of orders, each with its `consentId`
 * @param order of the result
 * @returns SQL that adds the kind of each. It reads the kinds of these orders alone, on every node of a distributed
 * database
 */
export const withKind = (orders: string, order: string): string => `
  SELECT orders.*, consent.kind FROM (${orders}) AS orders
    JOIN payment_consents AS consent ON consent.consent_id = orders."consentId"
   ORDER BY ${order}`;
