/** The addresses in the committed documents: those of the sandbox. Served documents have the service's own instead. */
export const exampleAddresses = {
  baseUrl: 'https://localhost:8443',
  authUrl: 'https://localhost:8441',
  tokenUrl: 'https://localhost:8442',
} as const;

/** Names of the bank in the committed documents, replaced likewise. */
export const exampleNames = { bankName: 'Sandbox Bank', errorNamespace: 'UK.SandboxBank' } as const;
