import { Type } from 'typebox'
import { named, oneOf, shape } from './shape.ts'

export const Image = named(
  'Image',
  shape({
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    image_type: oneOf(['THUMBNAIL', 'POSTER', 'LOGO']),
    original_image_url: Type.String(),
    image_url: Type.String(),
  }),
)
