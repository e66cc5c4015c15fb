import { defineError } from '../../platform/errors.ts'

export const BrandNotFound = defineError(
  'brand.not_found',
  404,
  'There is no such brand',
  () => 'There is no brand with this id.',
)
export const BrandExists = defineError(
  'brand.exists',
  409,
  'The brand exists already',
  (brandId: string) => `There is a brand ${brandId} already.`,
)
