/** Paths of members in the bodies of all versions, by what they say. */
export const paths = {
  consent: 'Data.ConsentId',
  consentStatus: 'Data.Status',
  initiation: 'Data.Initiation',
  fileHash: 'Data.Initiation.FileHash',
  numberOfPayments: 'Data.Initiation.NumberOfTransactions',
  controlSum: 'Data.Initiation.ControlSum',
} as const;
