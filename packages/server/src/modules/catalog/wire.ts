import type { AnswerOf, Operations } from '@continuity/contract'
import type { Brand } from './brand-store.ts'

export const toWireBrand = ({
  brandId,
  name,
}: Pick<Brand, 'brandId' | 'name'>): AnswerOf<Operations['getBrand']> => ({ brand_id: brandId, name })
