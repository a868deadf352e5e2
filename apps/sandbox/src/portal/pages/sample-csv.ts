const towns = [
  'Ashford',
  'Bolton',
  'Corby',
  'Derby',
  'Exeter',
  'Falkirk',
  'Goole',
  'Hexham',
  'Ilkley',
  'Jarrow',
  'Kendal',
  'Ludlow',
  'Matlock',
  'Newark',
  'Oldham',
];
const trades = ['Timber', 'Glass', 'Paper', 'Bakery', 'Freight', 'Print', 'Tools', 'Linen', 'Dairy', 'Steel'];
const header = 'Name,Sort code,Account number,Amount,Reference';

function supplier(index: number): string {
  const name = `${towns[index % towns.length]} ${trades[Math.floor(index / towns.length) % trades.length]}`;
  // Pence end in 0, so that no amount has a special outcome at the sandbox's bank.
  const pence = 12_000 + ((index * 7_919) % 380_000) * 10;
  const amount = `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
  return `${name},20-00-00,${10_000_000 + index},${amount},INV-${2_001 + index}`;
}

const suppliers = (count: number): string =>
  [header, ...Array.from({ length: count }, (_, index) => supplier(index))].join('\n');

/** CSVs to begin with. */
export const sampleCsvs = {
  suppliers: { name: '150 suppliers', text: suppliers(150) },
  three: { name: 'three suppliers', text: suppliers(3) },
  outcomes: {
    name: 'every outcome',
    text: [
      header,
      'Settled Ltd,20-00-00,10000001,100.00,paid at once',
      'Held Ltd,20-00-00,10000002,100.98,two seconds',
      'Not Posted Ltd,20-00-00,10000003,100.97,no posting',
      'Rejected Ltd,20-00-00,10000004,100.99,account closed',
      'Other Name Ltd,20-00-00,66100001,100.00,name differs',
      'Similar Name Ltd,20-00-00,66200001,100.00,name is close',
      'New Payee Ltd,20-00-00,66400001,100.00,never paid before',
    ].join('\n'),
  },
  mistakes: {
    name: 'a list with mistakes',
    text: [
      header,
      'Ashford Timber,20-00-00,10000001,1200.00,INV-1',
      'Bolton Glass,20-00,10000002,80.00,INV-2',
      'Corby Paper,20-00-00,1000003,19.5x,INV-3',
      'Derby Bakery,20-00-00,10000004,0.00,INV-4',
      'Exeter Freight,20-00-00,10000005',
      'Falkirk Print,20-00-00,10000006,25.00,a reference of more than thirty-five characters',
    ].join('\n'),
  },
} as const;

export type SampleName = keyof typeof sampleCsvs;

export function isSampleName(name: unknown): name is SampleName {
  return typeof name === 'string' && Object.hasOwn(sampleCsvs, name);
}
