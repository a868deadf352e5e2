import { ApiHeader } from '@nestjs/swagger';

/** The header by which a request is found again in logs. */
export const interactionId = ApiHeader({
  name: 'x-fapi-interaction-id',
  required: false,
  description: 'Id of the request. The answer repeats it; a malformed id is replaced.',
  schema: { type: 'string', format: 'uuid' },
});
