import { createPlaylistValidator } from '@continuity/playlist-validator'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import type { OnAirSystem } from './on-air-system.ts'
import { directOf, segmentsIn } from './output-watch.ts'
import { findDisagreement, isOn, type PlaylistAnswer } from './status-agreement.ts'

/** Compares the status of a channel with its playlist, and validates the playlist over the channel's whole history. */
export interface StatusWatch {
  /** Records a status that the API returned. */
  note(status: string): void
  lastStatus(): string | undefined
  check(): Promise<void>
  /** Contradictions between status and playlist. */
  readonly disagreements: readonly string[]
  /** Violations reported by the playlist validator. */
  readonly violations: readonly string[]
  /** How often each status was seen with each kind of playlist. */
  readonly seen: ReadonlyMap<string, number>
}

/** Minimum time from an end to the first playlist after it. */
const PAUSE_MS = 32_000
const CLOCKS_MS = 250

export function createStatusWatch(system: OnAirSystem, channelId: string, rung: string): StatusWatch {
  const output = directOf(channelId)
  const { windowMs, markers, breakPolicy } = output
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs: windowMs,
    markers,
    breakPolicy,
  })
  const disagreements: string[] = []
  const violations: string[] = []
  const seen = new Map<string, number>()
  let checks = 0
  let validatedMs = 0
  let status: string | undefined
  let [onSinceMs, offSinceMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let lastEndMs: number | undefined
  let isOver = false

  const note = (now: string) => {
    if (status === undefined || isOn(now) !== isOn(status)) {
      if (isOn(now)) onSinceMs = system.nowMs()
      else offSinceMs = system.nowMs()
    }
    status = now
  }
  const readStatus = async (): Promise<string> => {
    const path = `/api/2.3/linear_channels/${channelId}`
    const answer = await system.call<{ status: string }>('GET', path)
    note(answer.status)
    return answer.status
  }
  const validate = (text: string, { isEnded, lastEndMs: endMs }: PlaylistAnswer & { kind: 'playlist' }) => {
    validatedMs = Math.max(validatedMs + 1, system.nowMs())
    // A playlist that continues sooner than a start can take effect is a violation: nothing changes after its end.
    const isRestart = isOver && !isEnded && validatedMs >= (lastEndMs ?? 0) + PAUSE_MS - CLOCKS_MS
    if (isRestart) validator.restart()
    isOver = isEnded || (isOver && !isRestart)
    lastEndMs = endMs
    for (const { rule, detail } of validator.checkMedia({ atMs: validatedMs, rendition: rung, text }))
      violations.push(`${channelId} ${rule}: ${detail}`)
  }
  return {
    note,
    lastStatus: () => status,
    disagreements,
    violations,
    seen,
    async check() {
      const node = system.nodes[checks % system.nodes.length]!
      checks += 1
      const first = await readStatus()
      const beforeMs = system.nowMs()
      const { status: code, text } = await fetchAnswer(addressOf(node.url(), output, `${rung}.m3u8`))
      const afterMs = system.nowMs()
      const answer = readAnswer(code, text)
      const past = { onSinceMs, offSinceMs, lastEndMs }
      if (answer.kind === 'playlist') validate(text, answer)
      // The status changed meanwhile: skip this comparison.
      if ((await readStatus()) !== first) return
      const found = findDisagreement({ status: first, beforeMs, afterMs, answer }, past)
      if (found !== undefined) disagreements.push(`${channelId} at ${beforeMs} ${found}`)
      const kind = answer.kind === 'error' ? 'gone' : answer.isEnded ? 'ended' : 'served'
      seen.set(`${first} ${kind}`, (seen.get(`${first} ${kind}`) ?? 0) + 1)
    },
  }
}

function readAnswer(status: number, text: string): PlaylistAnswer {
  const last = status === 200 ? segmentsIn(text).at(-1) : undefined
  if (last === undefined) return { kind: 'error', code: codeIn(text) ?? `${status} ${text.slice(0, 100)}` }
  return {
    kind: 'playlist',
    isEnded: text.endsWith('#EXT-X-ENDLIST\n'),
    lastEndMs: last.startMs + last.durationMs,
  }
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code
  } catch {
    return undefined
  }
}
