type Fields = Readonly<Record<string, unknown>>

const IMAGE_FIELDS = ['width', 'height', 'image_type', 'original_image_url'] as const

/**
 * The fields of a draft in which a record differs from it: what a change has to
 * name. What the draft leaves out is not compared.
 */
export function differencesOf(record: object, draft: object): Record<string, unknown> {
  const told = { ...record } as Fields
  const meant = Object.entries<unknown>({ ...draft })
  const differing = meant.filter(([field, value]) => !isSame(field, told[field], value))
  return Object.fromEntries(differing)
}

function isSame(field: string, told: unknown, meant: unknown): boolean {
  // A time has several spellings, and the service answers with one of its own.
  if (field.startsWith('date_') && typeof told === 'string' && typeof meant === 'string') {
    return Date.parse(told) === Date.parse(meant)
  }
  return (
    spell(field === 'images' ? asDrafts(told) : told) === spell(field === 'images' ? asDrafts(meant) : meant)
  )
}

/** Without what the service adds to an image. */
function asDrafts(images: unknown): unknown {
  if (!Array.isArray(images)) return images
  return images.map((image: Fields) => Object.fromEntries(IMAGE_FIELDS.map((field) => [field, image[field]])))
}

/** The same text for the same value, in whatever order its fields came. */
function spell(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}
