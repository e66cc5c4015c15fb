import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** The script in each encoding that it is served in. */
export type ScalarScript = Readonly<Record<'identity' | 'gzip' | 'zstd', Uint8Array>>

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference')), 'utf8'),
) as { version: string }

/** Caches may keep it forever: another version has another address. */
export const scalarScriptAddress = `/docs/scalar-${version}.js`

let loading: Promise<ScalarScript> | undefined

/** Loaded for the first reader, so that a process whose reference no one reads pays nothing. */
export function loadScalarScript(): Promise<ScalarScript> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<ScalarScript> {
  const worker = new Worker(new URL('./scalar-script.worker.ts', import.meta.url))
  const [script] = (await once(worker, 'message')) as [ScalarScript]
  return script
}
