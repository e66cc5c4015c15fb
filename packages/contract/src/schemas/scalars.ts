import { Type } from 'typebox'

/**
 * Strings that become keys or titles have an upper bound, so that a row has one too.
 * 255 characters are plenty for a title.
 */
const TITLE_LENGTH = 255
const TEXT_LENGTH = 10_000
const ADDRESS_LENGTH = 2_048

/** No control characters: PostgreSQL rejects NUL, and the others do not belong in an id. */
const ID_PATTERN = '^[^\\u0000-\\u001f\\u007f]+$'

/** An id of ours: opaque to clients. */
export const id = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: ID_PATTERN, description })

/** An id that a partner made up: kept as sent. */
export const partnerId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: ID_PATTERN, description })

export const title = (description: string) =>
  Type.String({ minLength: 1, maxLength: TITLE_LENGTH, description })
export const text = (description: string) => Type.String({ maxLength: TEXT_LENGTH, description })

/** Any word up to 64 characters, kept as sent. */
export const label = (description: string) => Type.String({ maxLength: 64, description })

/** UTC only: an offset would make two spellings of one instant. */
export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: 'Z$',
    description: `${description} ISO 8601, UTC, ending in Z.`,
  })
export const day = (description: string) => Type.String({ format: 'date', description })
export const address = (description: string) =>
  Type.String({ format: 'uri', pattern: '^https?://', maxLength: ADDRESS_LENGTH, description })

export const seconds = (description: string, bounds: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ minimum: 0, maximum: 604_800, ...bounds, description: `${description} Whole seconds.` })

export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const countryCode = (description: string) => Type.String({ pattern: '^[A-Za-z]{2}$', description })
