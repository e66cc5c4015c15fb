import { LIVE_SOURCES_MAXIMUM } from '@continuity/core/live/source-fields'
import { defineError } from '../../platform/errors.ts'
import { namesNone } from '../../platform/unknown-name.ts'

export const SourceNotFound = defineError(
  'live_source.not_found',
  404,
  'There is no such live source',
  () => 'There is no live source with this id.',
)
export const SourceNotActive = defineError(
  'live_source.not_active',
  409,
  'The live source is not active',
  (status: string) => `The live source is ${status}. Activate it, and wait until it is ACTIVE.`,
)
export const SourceInUse = defineError(
  'live_source.in_use',
  409,
  'The live source is in use',
  (why: string) => why,
)
export const TooManySources = defineError(
  'live_source.too_many',
  422,
  'The account has as many live sources as it may have',
  () => `An account has at most ${LIVE_SOURCES_MAXIMUM} live sources.`,
)
export const TypeNotBuilt = defineError(
  'live_source.type_not_built',
  422,
  'Live sources of this type are not built',
  (type: string) => ({
    detail: `${type} is not built yet. HLS_PULL is.`,
    options: { faults: [{ pointer: '/type', code: 'not_built', message: 'must be HLS_PULL' }] },
  }),
)
export const TypeMismatch = defineError(
  'live_source.type_mismatch',
  422,
  'The body names two types',
  (type: string) => ({
    detail: `metadata.type is another than the type of the source, ${type}.`,
    options: { faults: [{ pointer: '/metadata/type', code: 'mismatch', message: `must be ${type}` }] },
  }),
)
export const UnknownChannel = defineError(
  'channel.unknown',
  422,
  'The body names a channel that does not exist',
  (field: string) => namesNone(field, 'channel'),
)
export const SignalUnavailable = defineError(
  'live_source.signal_unavailable',
  503,
  'The signal of live sources cannot be read',
  (cause: unknown) => ({
    detail: 'NATS, where receivers put what they measure, is unavailable. Try again shortly.',
    options: { retryAfterSeconds: 1, cause },
  }),
)
