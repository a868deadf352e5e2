/** An account of the sandbox bank. */
export interface CustomerAccount {
  schemeName: string;
  identification: string;
  name: string;
  /** opening balance, decimal text in GBP */
  balance: string;
  /** how many customers approve a payment from it */
  approvalsRequired: number;
  isBlocked?: boolean;
  /** false: this customer sees it, and may not pay from it */
  mayPay?: boolean;
}

/** A customer of the sandbox bank, with the credentials that the sandbox gives away on purpose. */
export interface Customer {
  psuId: string;
  username: string;
  password: string;
  /** Fixed, so that scripts can sign in. Empty for customers who approve in the bank's app. */
  oneTimeCode: string;
  /** How the bank asks this customer to approve. */
  approvesBy: 'TextMessage' | 'Device' | 'Push';
  displayName: string;
  accounts: CustomerAccount[];
}

const sortCodeAccountNumber = 'UK.OBIE.SortCodeAccountNumber';

function account(identification: string, name: string, balance: string, approvalsRequired = 1): CustomerAccount {
  return { schemeName: sortCodeAccountNumber, identification, name, balance, approvalsRequired };
}

/** Two people act for this firm, and each payment needs both. */
const tradersAccount = account('20000155779911', 'Brown & Clark Traders', '5000000.00', 2);

/** The customers of a new sandbox. */
export const customers: readonly Customer[] = [
  {
    psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01',
    username: 'alice',
    password: 'alice-password',
    oneTimeCode: '111111',
    approvesBy: 'Device',
    displayName: 'Alice Archer',
    accounts: [
      account('20000112345678', 'Archer Payroll', '100000000.00'),
      account('20000187654321', 'Archer Suppliers', '25000000.00'),
      { ...account('GB29NWBK60161331926819', 'Archer Reserve', '1000000.00'), schemeName: 'UK.OBIE.IBAN' },
    ],
  },
  {
    psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a02',
    username: 'bob',
    password: 'bob-password',
    oneTimeCode: '222222',
    approvesBy: 'TextMessage',
    displayName: 'Bob Brown',
    accounts: [account('20000122334455', 'Bob Brown', '50000.00'), tradersAccount],
  },
  {
    psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a03',
    username: 'carol',
    password: 'carol-password',
    oneTimeCode: '333333',
    approvesBy: 'Device',
    displayName: 'Carol Clark',
    accounts: [account('20000133445566', 'Carol Clark', '75000.00'), tradersAccount],
  },
  {
    psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a04',
    username: 'dave',
    password: 'dave-password',
    oneTimeCode: '444444',
    approvesBy: 'TextMessage',
    displayName: 'Dave Dixon',
    accounts: [
      account('20000144556677', 'Dixon Current', '12.50'),
      account('20000144556688', 'Dixon Savings', '0.75'),
      { ...account('20000144556699', 'Dixon Frozen', '9000.00'), isBlocked: true },
      { ...account('20000144556655', 'Dixon Trust', '40000.00'), mayPay: false },
    ],
  },
  {
    psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a05',
    username: 'erin',
    password: 'erin-password',
    oneTimeCode: '',
    approvesBy: 'Push',
    displayName: 'Erin Evans',
    accounts: [
      account('20000166778899', 'Evans Business', '10000000.00'),
      account('20000166778800', 'Evans Reserve', '2500.00'),
    ],
  },
];
