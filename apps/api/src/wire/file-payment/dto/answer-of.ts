import { describeMembers } from '#libs/api-description';
import type { WireClass } from '../../form/members.js';
import { Links, Meta } from '../ob-links-meta.dto.js';

/** @returns the class of an answer: Data of this class, Links and Meta */
export function answerOf(type: WireClass): WireClass {
  class Answer {}
  describeMembers(Answer, {
    Data: { type },
    Links: { type: Links },
    Meta: { type: Meta },
  });
  return Answer;
}
