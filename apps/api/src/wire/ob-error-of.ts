import { describedClass, type Members, textUpTo } from '#libs/api-description';

/** @returns OBError1 of a version: one fault with the version's code and text */
export function obErrorOf({ ErrorCode, Message }: Readonly<Record<'ErrorCode' | 'Message', Members[string]>>) {
  return describedClass('OBError1', {
    ErrorCode,
    Message,
    Path: {
      required: false,
      ...textUpTo(500, {
        description: 'Path of the faulty member, or name of the header.',
        example: 'Data.Initiation.FileHash',
      }),
    },
    Url: {
      required: false,
      type: 'string',
      format: 'uri',
      description: 'Page that explains the code: when it occurs and what to do.',
    },
  });
}
