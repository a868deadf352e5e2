import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { agentSchemes, leiForm, partySchemes, postalAddress7, proxyCodes } from '#libs/obie-rules';
import { Closed } from '../../../form/members.js';
import { postalAddressOf } from '../../../form/postal-address.js';
import { ObEnum, ObMatch, ObObject, ObText, Optional, Required } from '../../../form/rules.js';

/** Legal Entity Identifier. */
function ObLei(): PropertyDecorator {
  return applyDecorators(
    ObMatch(leiForm, 'must be an LEI: 18 capital letters and digits, then two digits'),
    ApiProperty({ example: '529900T8BM49AURSDO55' }),
  );
}

/** Postal address. */
@Closed()
export class OBPostalAddress7 extends postalAddressOf(postalAddress7) {}

/** A proxy for an account. */
export class OBProxy1 {
  @Required({ description: 'The value of the proxy.', example: '+447700900123' })
  @ObText(2048)
  Identification!: string;

  @Required({ description: 'Kind of the proxy.', example: 'TELE' })
  @ObEnum(proxyCodes)
  Code!: string;

  @Optional()
  @ObText(35)
  Type?: string;
}

/** The party on whose behalf the account is debited. */
export class OBUltimateDebtor1 {
  @Optional({ example: 'Octon Group plc' })
  @ObText(140)
  Name?: string;

  @Optional()
  @ObText(256)
  Identification?: string;

  @Optional()
  @ObLei()
  LEI?: string;

  @Optional({ description: 'Scheme of Identification.', example: 'UK.OBIE.IBAN' })
  @ObEnum(partySchemes)
  SchemeName?: string;

  @Optional()
  @ObObject(() => OBPostalAddress7)
  PostalAddress?: OBPostalAddress7;
}

/** The payee's bank. */
@Closed()
export class OBCreditorAgent {
  @Optional({ description: 'Scheme of Identification.', example: 'UK.OBIE.BICFI' })
  @ObEnum(agentSchemes)
  SchemeName?: string;

  @Optional({ example: 'NWBKGB2L' })
  @ObText(35)
  Identification?: string;

  @Optional()
  @ObText(140)
  Name?: string;

  @Optional()
  @ObLei()
  LEI?: string;

  @Optional()
  @ObObject(() => OBPostalAddress7)
  PostalAddress?: OBPostalAddress7;
}
