import { ApiProperty } from '@nestjs/swagger';
import { Links, Meta } from '../ob-links-meta.dto.js';

/** @returns the class of an answer: Data of this class, Links and Meta */
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
