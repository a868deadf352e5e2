/** What `obp` starts: programs of the applications, as their own scripts of npm do. */
export const programs = {
  start: { description: 'run the whole service in a sandbox', file: 'sandbox/src/main.js' },
  demo: { description: 'make the whole journey of 150 payments against it', file: 'tpp/src/demo.js' },
  tpp: { description: 'be a TPP, step by step', file: 'tpp/src/main.js' },
  convert: { description: 'make a payment file of CSV, pain.001 or Standard 18', file: 'tpp/src/convert.js' },
  sandbox: { description: 'TPPs, certificates, time and faults of the sandbox', file: 'sandbox/src/commands.js' },
  operator: { description: 'clients, held payments, secrets and the audit trail', file: 'operator/src/main.js' },
  keys: { description: 'rotate the signing keys of the bank', file: 'token/src/keys.js' },
  migrate: { description: 'bring the database to the newest schema', file: 'worker/src/migrate.js' },
  housekeeping: { description: 'erase customer data of finished consents', file: 'worker/src/housekeeping-command.js' },
  'ingress-check': { description: 'attack a running deployment from outside', file: 'ingress-check/src/main.js' },
} as const;

/** Name of a program of `obp`. */
export type ProgramName = keyof typeof programs;
