import { ObText, Optional, Required } from './rules.js';

/**
 * @param schemes description of the allowed SchemeName
 * @returns the members of a customer's account that all versions and kinds share (OBCashAccountDebtor)
 */
export const debtorAccountMembers = (schemes: string) => ({
  SchemeName: Required(
    { description: `${schemes} The prefix may be left out.`, example: 'UK.OBIE.SortCodeAccountNumber' },
    ObText(40),
  ),
  Identification: Required(
    {
      description: 'In the form of the scheme: sort code and account number are 14 digits.',
      example: '20000110000001',
    },
    ObText(256),
  ),
  Name: Optional({ description: 'Name of the account.', example: 'Octon Ltd' }, ObText(350)),
  SecondaryIdentification: Optional(
    { description: 'Roll number of a building society.', example: 'A-123' },
    ObText(34),
  ),
});
