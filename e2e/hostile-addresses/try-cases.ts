import { join } from 'node:path'
import { downloadFile } from '../../packages/server/src/platform/guarded-fetch/download-file.ts'
import type { Guard } from '../../packages/server/src/platform/guarded-fetch/guarded-client.ts'
import { OutboundRefused } from '../../packages/server/src/platform/guarded-fetch/outbound-refused.ts'
import type { HostileCase, HostileKind } from './hostile-cases.ts'

export interface Tried {
  readonly total: number
  /** Rejected with the code that is due, by kind. */
  readonly rejected: ReadonlyMap<HostileKind, number>
  readonly wrong: number
  readonly telling: number
  readonly slowestMs: number
}

/** A case that hangs ends by it, with a code that is due nowhere. */
const LIMIT_MS = 60_000

/** A kind with so many faults is not tried further: each may cost the time of a connection that leads nowhere. */
const ENOUGH_FAULTS = 5

/** Gives each address to the real client as a worker would, and checks how it ends. */
export async function tryCases(
  guard: Guard,
  cases: readonly HostileCase[],
  options: { readonly folder: string; say(line: string): void },
): Promise<Tried> {
  const rejected = new Map<HostileKind, number>()
  const faults = new Map<HostileKind, number>()
  const found = { total: 0, wrong: 0, telling: 0, slowestMs: 0 }
  for (const { kind, url, codes } of cases) {
    if ((faults.get(kind) ?? 0) >= ENOUGH_FAULTS) continue
    const startMs = performance.now()
    const end = await endOf(guard, url, join(options.folder, 'video.mp4'))
    found.slowestMs = Math.max(found.slowestMs, performance.now() - startMs)
    found.total += 1
    if (end instanceof OutboundRefused && codes.includes(end.code))
      rejected.set(kind, (rejected.get(kind) ?? 0) + 1)
    else {
      found.wrong += 1
      faults.set(kind, (faults.get(kind) ?? 0) + 1)
      options.say(`${kind}: ${JSON.stringify(url.slice(0, 120))} ended with ${describe(end)}`)
    }
    if (end instanceof Error && INNER.test(end.message.replace(url, ''))) {
      found.telling += 1
      options.say(`${kind}: ${url} is answered with an internal address: ${end.message}`)
    }
  }
  return { ...found, rejected }
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
