import { expect, it } from '@jest/globals';
import { outcomeLines } from './report.js';

it('names each payment as its file does, else by its place', () => {
  const made = { Status: 'ACCC' };
  expect(
    outcomeLines([
      { PaymentId: 'a1', InstructionIdentification: 'RUN-0001', EndToEndIdentification: 'E2E-1', ...made },
      {
        PaymentId: 'a2',
        EndToEndIdentification: 'E2E-2',
        Status: 'RJCT',
        StatusDetail: { StatusReason: 'Proprietary', StatusReasonDescription: 'It is closed.' },
      },
      { PaymentId: 'a3', ...made },
    ]),
  ).toEqual(['a1  RUN-0001   ACCC', 'a2  E2E-2      RJCT  Proprietary: It is closed.', 'a3  payment 3  ACCC']);
});
