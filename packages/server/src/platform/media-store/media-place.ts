import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMediaPrefix } from './media-key.ts'
import type { S3Place } from './s3-store.ts'

export type MediaPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Place)

export const MEDIA_PLACE_FORM =
  'a folder, or s3://bucket/prefix?endpoint=https://…&region=…&path_style=yes, of which the bucket is needed'

/** The names of buckets as Amazon takes them; other servers take more, and nobody needs it. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

const PARAMETERS = ['endpoint', 'region', 'path_style']

/** Where media lies, as one setting says it; undefined for a text that says no place. */
export function parseMediaPlace(text: string): MediaPlace | undefined {
  if (isAbsolute(text)) return { kind: 'folder', folder: text }
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol === 's3:') return parseS3(url)
  if (url.protocol !== 'file:' || url.host !== '' || url.search !== '') return undefined
  return { kind: 'folder', folder: fileURLToPath(url) }
}

/** Keys have settings of their own: this address is shown and logged. */
function parseS3(url: URL): MediaPlace | undefined {
  const { hostname: bucket, searchParams } = url
  const prefix = url.pathname.replace(/^\//, '').replace(/(?<=[^/])$/, '/')
  const endpoint = searchParams.get('endpoint') ?? undefined
  const pathStyle = searchParams.get('path_style') ?? 'no'
  const isRefused =
    url.username !== '' ||
    url.password !== '' ||
    url.port !== '' ||
    !BUCKET.test(bucket) ||
    (prefix !== '' && !isMediaPrefix(prefix)) ||
    (endpoint !== undefined && !isServer(endpoint)) ||
    !['yes', 'no'].includes(pathStyle) ||
    [...searchParams.keys()].some((name) => !PARAMETERS.includes(name))
  if (isRefused) return undefined
  const region = searchParams.get('region') ?? 'us-east-1'
  return { kind: 's3', bucket, prefix, endpoint, region, isPathStyle: pathStyle === 'yes' }
}

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === ''
}
