import { ApiProperty } from '@nestjs/swagger';
import { Links, Meta } from '../ob-links-meta.dto.js';

/** @returns what an answer is made of: Data of this class, and its Links and Meta */
export function answerOf<Data extends object>(type: new () => Data) {
  class Answer {
    @ApiProperty({ type })
    Data!: Data;

    @ApiProperty({ type: Links })
    Links!: Links;

    @ApiProperty({ type: Meta })
    Meta!: Meta;
  }
  return Answer;
}
