import { describeMembers } from '#libs/api-description';

/** The account that pays. */
export class OBDebtor {}
describeMembers(OBDebtor, {
  SchemeName: { type: 'string', example: 'UK.OBIE.SortCodeAccountNumber' },
  Identification: { type: 'string', example: '20000110000001' },
  Name: { required: false, type: 'string' },
  SecondaryIdentification: {
    required: false,
    type: 'string',
    minLength: 1,
    maxLength: 34,
    description: 'Roll number at a building society.',
  },
});
