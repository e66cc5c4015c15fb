import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { firstOf, limitOption, pageSizeOf } from '../terminal/limit.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { readTitle } from '../terminal/read-text.ts'
import { fields, table } from '../terminal/table.ts'

const operand = 'BRAND_ID'
const paramsOf = (id: string) => ({ params: { brand_id: id } })
const name = { value: 'NAME', about: 'name', isRequired: true, read: readTitle } as const

const listBrands = command({
  name: 'brands list',
  about: 'List brands by name',
  options: { ...sessionOptions, ...limitOption },
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'brands list')
    const query = { page_size: pageSizeOf(options.limit) }
    const brands = await firstOf(client.listBrands.all({ query }), options.limit)
    if (brands.length === 0) return { text: `${account} has no brands.`, json: [] }
    const rows = brands.map((it) => [it.brand_id, it.name])
    return { text: table(['id', 'name'], rows), json: brands }
  },
})

const showBrand = command({
  name: 'brands show',
  about: 'Show a brand',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'brands show')
    return shown(await client.getBrand(paramsOf(id)))
  },
})

const createBrand = command({
  name: 'brands create',
  about: "Create a brand, with the partner's id of it",
  operand,
  options: { ...sessionOptions, name },
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'brands create')
    return shown(await client.createBrand({ body: { brand_id: id, name: options.name } }))
  },
})

const changeBrand = command({
  name: 'brands change',
  about: 'Change the name of a brand',
  operand,
  options: { ...sessionOptions, name },
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'brands change')
    return shown(await client.changeBrand({ ...paramsOf(id), body: { name: options.name } }))
  },
})

const deleteBrand = command({
  name: 'brands delete',
  about: 'Delete a brand; series and videos keep their reference to it',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'brands delete')
    await client.deleteBrand(paramsOf(id))
    return { text: `Deleted brand ${id}.`, json: { brand_id: id, deleted: true } }
  },
})

export const brandCommands: readonly Command[] = [
  listBrands,
  showBrand,
  createBrand,
  changeBrand,
  deleteBrand,
]

type Brand = Awaited<ReturnType<Client['getBrand']>>

const shown = (it: Brand) => ({
  text: fields([
    ['brand', it.name],
    ['id', it.brand_id],
  ]),
  json: it,
})
