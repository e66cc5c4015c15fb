import { defineError } from '../../platform/errors.ts'

export const RequestNotFound = defineError(
  'request.not_found',
  404,
  'Request not found',
  () => 'There is no request with this id.',
)
