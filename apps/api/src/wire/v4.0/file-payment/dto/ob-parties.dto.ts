import {
  creditorAgent,
  type Member,
  type ObjectForm,
  postalAddress7,
  proxy,
  remittanceInformation2,
  ultimateDebtor,
} from '#libs/obie-rules';
import { Closed, type WireClass } from '../../../form/members.js';
import { postalAddressOf } from '../../../form/postal-address.js';
import {
  ObAmountOrInteger,
  ObDateTime,
  ObElsewhere,
  ObEnum,
  ObMatch,
  ObObject,
  ObObjects,
  ObText,
  ObTexts,
  Optional,
  Required,
} from '../../../form/rules.js';

/** Postal address. */
@Closed()
export class OBPostalAddress7 extends postalAddressOf(postalAddress7) {}

const classes = new Map<ObjectForm, WireClass>();

/** @returns the class of an object that the standard describes; documents need to know early which are closed */
export function classOf(form: ObjectForm): WireClass {
  const known = classes.get(form);
  if (known !== undefined) return known;
  const { className } = form;
  // The API document has the name of the class.
  const type = { [className]: class {} }[className] as WireClass;
  classes.set(form, type);
  for (const [name, member] of Object.entries(form.members)) {
    const { isRequired, description, example } = member;
    const said = { ...(description !== undefined && { description }), ...(example !== undefined && { example }) };
    ruleOf(member)(type.prototype as object, name);
    (isRequired ? Required : Optional)(said)(type.prototype as object, name);
  }
  if (form.isClosed) Closed()(type);
  return type;
}

function ruleOf(member: Member): PropertyDecorator {
  switch (member.a) {
    case 'text':
      return ObText(member.longest);
    case 'texts':
      return ObTexts(member.longest, { atMost: member.most });
    case 'word':
      return ObEnum(member.words);
    case 'match':
      return ObMatch(member.form, member.rule);
    case 'moment':
      return ObDateTime();
    case 'document amount':
      return ObAmountOrInteger();
    case 'address':
      return ObObject(() => OBPostalAddress7);
    case 'object': {
      const type = classOf(member.of);
      return ObObject(() => type);
    }
    case 'objects': {
      const type = classOf(member.of);
      return ObObjects(() => type, { atMost: member.most });
    }
  }
}

export const OBProxy1 = classOf(proxy);
export const OBCreditorAgent = classOf(creditorAgent);
export const OBUltimateDebtor1 = classOf(ultimateDebtor);

/** What payments are for. `Reference`, as in v3.1, is refused: use Structured. */
export class OBRemittanceInformation2 extends classOf(remittanceInformation2) {
  @ObElsewhere('Structured[].CreditorReferenceInformation.Reference')
  Reference?: never;
}
