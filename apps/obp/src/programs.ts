/** The programs that `obp` starts, as the npm scripts do. */
export const programs = {
  start: { description: 'run the whole service in a sandbox', file: 'sandbox/src/main.js' },
  demo: { description: 'make a whole journey of 150 payments in the sandbox', file: 'tpp/src/demo.js' },
  tpp: { description: 'act as a TPP, step by step', file: 'tpp/src/main.js' },
  convert: { description: 'make a payment file from CSV, pain.001 or Standard 18', file: 'tpp/src/convert.js' },
  sandbox: {
    description: 'manage TPPs, certificates, time and faults of the sandbox',
    file: 'sandbox/src/commands.js',
  },
  operator: { description: 'manage clients, held payments, secrets and the audit trail', file: 'operator/src/main.js' },
  keys: { description: 'rotate the signing keys of the bank', file: 'token/src/keys.js' },
  migrate: { description: 'migrate the database to the newest schema', file: 'worker/src/migrate.js' },
  housekeeping: { description: 'erase customer data of finished consents', file: 'worker/src/housekeeping-command.js' },
  bank: { description: 'check a bank that you connect', file: 'bank-check/src/main.js' },
  'ingress-check': { description: 'attack a running deployment from outside', file: 'ingress-check/src/main.js' },
} as const;

export type ProgramName = keyof typeof programs;
