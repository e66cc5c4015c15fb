import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMediaPrefix } from './media-key.ts'
import type { S3Location } from './s3-store.ts'

export type MediaLocation =
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Location)

export const MEDIA_LOCATION_FORM =
  'a folder, or s3://bucket/prefix?endpoint=https://…&region=…&path_style=yes, of which only the bucket is required'

/** Bucket names by Amazon's rules; other servers allow more. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

const PARAMETERS = ['endpoint', 'region', 'path_style']

/** Parses the setting; undefined for an invalid text. */
export function parseMediaLocation(text: string): MediaLocation | undefined {
  if (isAbsolute(text)) return { kind: 'folder', folder: text }
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol === 's3:') return parseS3(url)
  if (url.protocol !== 'file:' || url.host !== '' || url.search !== '') return undefined
  return { kind: 'folder', folder: fileURLToPath(url) }
}

/** Access keys have settings of their own: this address is displayed and logged. */
function parseS3(url: URL): MediaLocation | undefined {
  const { hostname: bucket, searchParams } = url
  const prefix = url.pathname.replace(/^\//, '').replace(/(?<=[^/])$/, '/')
  const endpoint = searchParams.get('endpoint') ?? undefined
  const pathStyle = searchParams.get('path_style') ?? 'no'
  const isInvalid =
    url.username !== '' ||
    url.password !== '' ||
    url.port !== '' ||
    !BUCKET.test(bucket) ||
    (prefix !== '' && !isMediaPrefix(prefix)) ||
    (endpoint !== undefined && !isServer(endpoint)) ||
    !['yes', 'no'].includes(pathStyle) ||
    [...searchParams.keys()].some((name) => !PARAMETERS.includes(name))
  if (isInvalid) return undefined
  const region = searchParams.get('region') ?? 'us-east-1'
  return { kind: 's3', bucket, prefix, endpoint, region, isPathStyle: pathStyle === 'yes' }
}

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === ''
}
