import { join } from 'node:path'
import { downloadFile } from '../../packages/server/src/platform/guarded-fetch/download-file.ts'
import type { Guard } from '../../packages/server/src/platform/guarded-fetch/guarded-client.ts'
import { OutboundRefused } from '../../packages/server/src/platform/guarded-fetch/outbound-refused.ts'
import type { HostileCase } from './hostile-cases.ts'

export interface Tried {
  readonly refusedAsDue: number
  readonly wrong: number
  readonly late: number
  readonly telling: number
  readonly slowestMs: number
}

/** More than any refusal takes, and what a partner would still call at once. */
const LIMIT_MS = 5_000

/** Hands each address to the real client as a worker would, and looks at how it ends. */
export async function tryCases(
  guard: Guard,
  cases: readonly HostileCase[],
  options: { readonly folder: string; say(line: string): void },
): Promise<Tried> {
  const found = { refusedAsDue: 0, wrong: 0, late: 0, telling: 0, slowestMs: 0 }
  for (const { kind, url, codes } of cases) {
    const startMs = performance.now()
    const end = await endOf(guard, url, join(options.folder, 'video.mp4'))
    const tookMs = performance.now() - startMs
    found.slowestMs = Math.max(found.slowestMs, tookMs)
    if (tookMs > LIMIT_MS) found.late += 1
    const isDue = end instanceof OutboundRefused && codes.includes(end.code)
    if (isDue) found.refusedAsDue += 1
    else {
      found.wrong += 1
      options.say(`${kind}: ${JSON.stringify(url.slice(0, 120))} ended with ${describe(end)}`)
    }
    if (end instanceof Error && INNER.test(end.message.replace(url, ''))) {
      found.telling += 1
      options.say(`${kind}: ${url} tells: ${end.message}`)
    }
  }
  return found
}

/** An address inside of a message: dotted, or groups with colons. */
const INNER = /\d+\.\d+\.\d+\.\d+|[0-9a-f]*::[0-9a-f]*|ECONN|ENOTFOUND/i

const describe = (end: unknown): string =>
  end instanceof OutboundRefused ? end.code : end instanceof Error ? String(end) : JSON.stringify(end)

const endOf = (guard: Guard, url: string, file: string): Promise<unknown> =>
  downloadFile(guard, {
    url,
    file,
    mostBytes: 1_000,
    limitMs: LIMIT_MS,
    signal: new AbortController().signal,
    sleep: async () => {},
  }).catch((error: unknown) => error)
