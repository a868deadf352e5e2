import type { Member, ObjectForm } from '#libs/obie-rules';
import { classWith, type WireClass } from './members.js';
import { postalAddressOf } from './postal-address.js';
import {
  ObAmountOrInteger,
  ObAnyObject,
  ObDateTime,
  ObEnum,
  ObMatch,
  ObObject,
  ObObjects,
  ObText,
  ObTexts,
  Optional,
  Required,
} from './rules.js';

const classes = new Map<ObjectForm, WireClass>();

/**
 * @returns the class of an object of the standard, made when its module loads: documents must know which classes are
 * closed
 */
export function classOf(form: ObjectForm): WireClass {
  const known = classes.get(form);
  if (known !== undefined) return known;
  const members = Object.entries<Member>(form.members).map(([name, member]) => [name, declare(member)] as const);
  const type = classWith(form.className, Object.fromEntries(members), form);
  classes.set(form, type);
  return type;
}

function declare(member: Member): PropertyDecorator {
  const said = Object.fromEntries(Object.entries(member).filter(([key]) => key === 'description' || key === 'example'));
  return (member.isRequired ? Required : Optional)(said, ruleOf(member));
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
    case 'any object':
      return ObAnyObject();
    case 'address':
      return ObObject(postalAddressOf(member.of));
    case 'object':
      return ObObject(classOf(member.of));
    case 'objects':
      return ObObjects(classOf(member.of), { atMost: member.most });
  }
}
