type Fields = Readonly<Record<string, unknown>>

const IMAGE_FIELDS = ['width', 'height', 'image_type', 'original_image_url'] as const

/**
 * The fields of a draft that differ from the record: the body of an update.
 * Fields that the draft does not have are not compared.
 */
export function differencesOf(record: object, draft: object): Record<string, unknown> {
  const current = { ...record } as Fields
  const wanted = Object.entries<unknown>({ ...draft })
  const differing = wanted.filter(([field, value]) => !isSame(field, current[field], value))
  return Object.fromEntries(differing)
}

function isSame(field: string, current: unknown, wanted: unknown): boolean {
  // A time can be written in several ways, and the service returns it in its own.
  if (field.startsWith('date_') && typeof current === 'string' && typeof wanted === 'string') {
    return Date.parse(current) === Date.parse(wanted)
  }
  return (
    canonical(field === 'images' ? asDrafts(current) : current) ===
    canonical(field === 'images' ? asDrafts(wanted) : wanted)
  )
}

/** Without the fields that the service adds to an image. */
function asDrafts(images: unknown): unknown {
  if (!Array.isArray(images)) return images
  return images.map((image: Fields) => Object.fromEntries(IMAGE_FIELDS.map((field) => [field, image[field]])))
}

/** JSON with sorted keys: the same text for equal values. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}
