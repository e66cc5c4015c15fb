import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { choicesWith } from '../shared/choices-with.ts'
import { keys } from '../shared/query-keys.ts'
import { readUpTo } from '../shared/read-up-to.ts'

const BRANDS_MAXIMUM = 500

interface BrandFieldProps {
  /** Empty for none. */
  readonly brandId: string
  readonly fault: string | undefined
  readonly onChange: (brandId: string) => void
}

/** The brand of a video or a series. */
export function BrandField({ brandId, fault, onChange }: BrandFieldProps) {
  const client = useClient()
  const { data: brands = [] } = useQuery({
    queryKey: keys.brands,
    queryFn: async ({ signal }) => {
      const pages = client.listBrands.all({ query: { page_size: 50 } }, { signal })
      const found = await readUpTo(BRANDS_MAXIMUM, pages)
      return found.map(({ brand_id, name }) => ({ id: brand_id, title: name }))
    },
  })
  return (
    <NativeSelect
      label="Brand"
      value={brandId}
      error={fault}
      data={choicesWith(brandId, brands, { none: 'None', missing: 'As it is' })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

export function BrandName({ brandId }: { brandId: string }) {
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.brand(brandId),
    queryFn: ({ signal }) => client.getBrand({ params: { brand_id: brandId } }, { signal }),
  })
  // A brand that was deleted has no name any more.
  return data?.name ?? brandId
}
