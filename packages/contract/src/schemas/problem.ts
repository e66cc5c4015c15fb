import { type Static, Type } from 'typebox'
import { named } from './shape.ts'

export const FieldFault = named(
  'FieldFault',
  Type.Object({
    pointer: Type.String({ description: 'JSON pointer into the body, or `#query/name`, `#path/name`.' }),
    code: Type.String({ description: 'What the value broke, such as `required` or `maximum`.' }),
    message: Type.String(),
  }),
)

/** RFC 9457, with the members that clients of this interface read. */
export const Problem = named(
  'Problem',
  Type.Object({
    type: Type.String({ description: 'Address of the explanation of this code.' }),
    title: Type.String({ description: 'The same for every problem of this code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What happened this time, and what to do.' }),
    instance: Type.String({ description: 'Path of the request.' }),
    message: Type.String({ description: 'The same text as `detail`.' }),
    code: Type.String({ description: 'Stable; listed in the error table.' }),
    request_id: Type.String({ description: 'Also in the X-Request-Id header and in our log.' }),
    errors: Type.Optional(Type.Array(FieldFault, { description: 'The fields at fault.' })),
  }),
)

export type Problem = Static<typeof Problem>
export type FieldFault = Static<typeof FieldFault>
