/**
 * ISO 3166-1: three letters, as the directory writes countries, to two, as ETSI does. The United Kingdom and the EEA.
 */
const countries: ReadonlyMap<string, string> = new Map(
  (
    'AUT:AT BEL:BE BGR:BG CYP:CY CZE:CZ DEU:DE DNK:DK ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HRV:HR HUN:HU ' +
    'IRL:IE ISL:IS ITA:IT LIE:LI LTU:LT LUX:LU LVA:LV MLT:MT NLD:NL NOR:NO POL:PL PRT:PT ROU:RO SVK:SK SVN:SI SWE:SE'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 3), pair.slice(4)]),
);

/**
 * Builds the identifier that OBWAC and QWAC certificates carry (ETSI TS 119 495 s5.2.1): `PSD`, the country, the
 * authority, the registration.
 * @param authorityId `authority_id`: short name of the authority and country in three letters, `FCAGBR`
 * @param registrationId `registration_id`
 * @returns `PSDGB-FCA-123456`; undefined if the authority's country is not known
 */
export function organisationIdentifier({
  authorityId,
  registrationId,
}: {
  authorityId: string;
  registrationId: string;
}): string | undefined {
  const [, authority, country] = /^([A-Z]{2,8})([A-Z]{3})$/.exec(authorityId) ?? [];
  const shortCountry = countries.get(country ?? '');
  if (authority === undefined || shortCountry === undefined || registrationId === '') return undefined;
  return `PSD${shortCountry}-${authority}-${registrationId}`;
}
