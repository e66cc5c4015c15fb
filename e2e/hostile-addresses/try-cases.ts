import { join } from 'node:path'
import { downloadFile } from '../../packages/server/src/platform/outbound/download-file.ts'
import type { OutboundClient } from '../../packages/server/src/platform/outbound/outbound-client.ts'
import { OutboundError } from '../../packages/server/src/platform/outbound/outbound-error.ts'
import type { HostileCase, HostileKind } from './hostile-cases.ts'

export interface Tried {
  readonly total: number
  /** Rejected with the expected code, by kind. */
  readonly rejected: ReadonlyMap<HostileKind, number>
  readonly wrong: number
  readonly leaking: number
  readonly slowestMs: number
}

/** Timeout of a case, with a code that is never expected. */
const LIMIT_MS = 60_000

/** A kind with so many faults is not tried further: each may cost a connection timeout. */
const ENOUGH_FAULTS = 5

/** Fetches each address with the real client as a worker would, and checks the outcome. */
export async function tryCases(
  client: OutboundClient,
  cases: readonly HostileCase[],
  options: { readonly folder: string; log(line: string): void },
): Promise<Tried> {
  const rejected = new Map<HostileKind, number>()
  const faults = new Map<HostileKind, number>()
  const found = { total: 0, wrong: 0, leaking: 0, slowestMs: 0 }
  for (const { kind, url, codes } of cases) {
    if ((faults.get(kind) ?? 0) >= ENOUGH_FAULTS) continue
    const startMs = performance.now()
    const end = await endOf(client, url, join(options.folder, 'video.mp4'))
    found.slowestMs = Math.max(found.slowestMs, performance.now() - startMs)
    found.total += 1
    if (end instanceof OutboundError && codes.includes(end.code))
      rejected.set(kind, (rejected.get(kind) ?? 0) + 1)
    else {
      found.wrong += 1
      faults.set(kind, (faults.get(kind) ?? 0) + 1)
      options.log(`${kind}: ${JSON.stringify(url.slice(0, 120))} ended with ${describe(end)}`)
    }
    if (end instanceof Error && INNER.test(end.message.replace(url, ''))) {
      found.leaking += 1
      options.log(`${kind}: ${url} error message contains an internal address: ${end.message}`)
    }
  }
  return { ...found, rejected }
}

/** An address in a message: dotted, or groups with colons. */
const INNER = /\d+\.\d+\.\d+\.\d+|[0-9a-f]*::[0-9a-f]*|ECONN|ENOTFOUND/i

const describe = (end: unknown): string =>
  end instanceof OutboundError ? end.code : end instanceof Error ? String(end) : JSON.stringify(end)

const endOf = (client: OutboundClient, url: string, file: string): Promise<unknown> =>
  downloadFile(client, {
    url,
    file,
    mostBytes: 1_000,
    limitMs: LIMIT_MS,
    signal: new AbortController().signal,
    sleep: async () => {},
  }).catch((error: unknown) => error)
