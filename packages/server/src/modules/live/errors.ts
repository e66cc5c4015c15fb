import { LIVE_SOURCES_MAXIMUM } from '@continuity/core/live/source-fields'
import { defineError } from '../../platform/errors.ts'
import { unknownRecord } from '../../platform/unknown-name.ts'

export const SourceNotFound = defineError(
  'live_source.not_found',
  404,
  'Live source not found',
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
  'Too many live sources',
  () => `An account may have at most ${LIVE_SOURCES_MAXIMUM} live sources.`,
)
export const TypeNotBuilt = defineError(
  'live_source.type_not_built',
  422,
  'Unsupported type of live source',
  (type: string) => ({
    detail: `${type} is not supported yet; use HLS_PULL.`,
    options: { faults: [{ pointer: '/type', code: 'not_built', message: 'must be HLS_PULL' }] },
  }),
)
export const TypeMismatch = defineError(
  'live_source.type_mismatch',
  422,
  'Conflicting types of live source',
  (type: string) => ({
    detail: `metadata.type differs from the type of the source, ${type}.`,
    options: { faults: [{ pointer: '/metadata/type', code: 'mismatch', message: `must be ${type}` }] },
  }),
)
export const UnknownChannel = defineError('channel.unknown', 422, 'Unknown channel', (field: string) =>
  unknownRecord(field, 'channel'),
)
export const SignalUnavailable = defineError(
  'live_source.signal_unavailable',
  503,
  'Measurements of live sources are unavailable',
  (cause: unknown) => ({
    detail: 'NATS, where receivers publish measurements, is unavailable. Try again shortly.',
    options: { retryAfterSeconds: 1, cause },
  }),
)
