import { Type } from 'typebox'
import { address } from './scalars.ts'
import { named, oneOf, shape } from './shape.ts'

const size = {
  width: Type.Integer({ minimum: 1, maximum: 100_000 }),
  height: Type.Integer({ minimum: 1, maximum: 100_000 }),
  image_type: oneOf(['THUMBNAIL', 'POSTER', 'LOGO']),
}

export const Image = named(
  'Image',
  shape({
    ...size,
    original_image_url: Type.String({ description: 'Where it came from.' }),
    image_url: Type.String({
      description: 'Where it is to be had; the original until there is a copy of ours.',
    }),
  }),
)

/** An image as writes name it. */
export const ImageDraft = named(
  'ImageDraft',
  shape({ ...size, original_image_url: address('Address of the original image.') }),
)
