import { describeMembers } from '#libs/api-description';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import { Links, Meta } from '../file-payment/ob-links-meta.dto.js';

/** Members of Data of a consent, without its status and what it requests. */
export class ConsentMembers {}
describeMembers(ConsentMembers, {
  ConsentId: {
    type: 'string',
    minLength: 1,
    maxLength: 128,
    description: 'Id of the consent.',
    example: exampleConsentId,
  },
  CreationDateTime: { type: 'string', format: 'date-time', example: exampleTime },
  StatusUpdateDateTime: { type: 'string', format: 'date-time', example: exampleTime },
});

/** Members of every answer besides Data. */
export class LinksAndMeta {}
describeMembers(LinksAndMeta, { Links: { type: Links }, Meta: { type: Meta } });
