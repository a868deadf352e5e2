/** An answer of the bank's API: status and JSON body. */
export interface BankAnswer {
  status: number;
  body: object;
}

export const ok = (body: object): BankAnswer => ({ status: 200, body });
export const refusal = (status: number, reason: string): BankAnswer => ({ status, body: { reason } });
