import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, fetchPlaylist } from './fetch-playlist.ts'
import { checkMultivariant, isMultivariant, type ListedPlaylist } from './multivariant.ts'
import { firstLineFault, parseMedia } from './parse-media.ts'
import type { Profile, Rule, Violation } from './rules.ts'
import { createPlaylistValidator, type PlaylistValidator } from './validator.ts'

export interface WatchOptions {
  /** Of a multivariant or a media playlist, http or https. */
  readonly url: string
  readonly forMs: number
  readonly profile?: Profile
  /** Ends the watch before its time; what was seen so far is returned. */
  readonly signal?: AbortSignal
  /** Called for each violation when it occurs. */
  readonly onViolation?: (violation: Violation) => void
}

export interface WatchSummary {
  /** Media playlists that were read at least once, and all that were listed. */
  readonly checked: number
  readonly listed: number
  readonly loads: number
  /** Loads that brought another text. */
  readonly changes: number
  /** Segments listed by any playlist. */
  readonly segments: number
  /** Whether all playlists came to their EXT-X-ENDLIST. */
  readonly hasEnded: boolean
  readonly lastedMs: number
  readonly violations: number
  /** Why nothing could be checked. */
  readonly failure: string | undefined
}

/** More renditions than any presentation has. */
const MOST_PLAYLISTS = 100
/** The pace until a target duration is known. */
const RETRY_MS = 2_000
const SHORTEST_WAIT_MS = 250
const LONGEST_WAIT_MS = 60_000

/** A media playlist that is followed. */
interface Followed {
  readonly name: string
  readonly url: string
  readonly isSubtitles: boolean
  /** What the first request brought, if it was for this playlist. */
  first: Answer | undefined
  hasEnded: boolean
  text: string | undefined
  targetMs: number | undefined
  lastSequence: number
}

interface Watch {
  readonly validator: PlaylistValidator
  readonly counts: { checked: number; loads: number; changes: number; segments: number }
  readonly stop: AbortSignal
  readonly isHouse: boolean
  readonly report: (violations: readonly Violation[]) => void
}

/** Does not jump when the clock of the machine is set. */
const nowMs = (): number => performance.timeOrigin + performance.now()

/**
 * Reloads all playlists of a presentation at the pace of RFC 8216 §6.3.4 for some time, and checks them. Ends earlier if
 * all have ended.
 */
export async function watchPlaylists(options: WatchOptions): Promise<WatchSummary> {
  const { url, forMs, profile = 'specification', signal, onViolation = () => {} } = options
  const startMs = nowMs()
  const timer = AbortSignal.timeout(forMs)
  const watch: Watch = {
    validator: createPlaylistValidator({ profile }),
    counts: { checked: 0, loads: 0, changes: 0, segments: 0 },
    stop: signal === undefined ? timer : AbortSignal.any([timer, signal]),
    isHouse: profile === 'house',
    report: (violations) => violations.forEach(onViolation),
  }
  const first = await fetchPlaylist(url, watch.stop)
  const fault = first.kind === 'fault' ? first.fault : faultOfFirst(first.text)
  const playlists = first.kind === 'fault' || fault !== undefined ? [] : findPlaylists(watch, url, first)
  const followed = playlists.slice(0, MOST_PLAYLISTS)
  await Promise.all(followed.map((playlist) => follow(watch, playlist)))
  const { counts, validator } = watch
  return {
    ...counts,
    listed: playlists.length,
    hasEnded: followed.length > 0 && followed.every(({ hasEnded }) => hasEnded),
    lastedMs: Math.round(nowMs() - startMs),
    violations: validator.count(),
    failure: fault ?? failureOf(playlists.length, counts.checked),
  }
}

function faultOfFirst(text: string): string | undefined {
  const [line = ''] = text.split(/\r?\n/, 1)
  return line === '#EXTM3U' ? undefined : firstLineFault(line)
}

function failureOf(listed: number, checked: number): string | undefined {
  if (listed === 0) return 'it lists no playlist'
  return checked === 0 ? 'no media playlist could be read' : undefined
}

/** The media playlists that an address stands for: what a multivariant playlist lists, or itself. */
function findPlaylists(watch: Watch, url: string, answer: Answer & { kind: 'text' }): Followed[] {
  const { validator, report, isHouse } = watch
  if (!isMultivariant(answer.text)) return [{ ...newFollowed(nameOf(url), url, false), first: answer }]
  const at = { atMs: nowMs(), rendition: '' }
  report(validator.note('not-identifiable', answer.identityFault, at))
  report(validator.note('encoding', answer.encodingFault, at))
  report(validator.checkMultivariant(answer.text, at.atMs))
  const byUrl = new Map<string, Followed>()
  const { playlists } = checkMultivariant(answer.text, isHouse, () => {})
  for (const playlist of playlists) {
    const target = resolve(playlist, answer.url)
    if (target === undefined) {
      const detail = `${playlist.uri} is not an address that can be loaded`
      report(validator.note('unavailable', detail, { atMs: at.atMs, rendition: playlist.uri }))
    } else if (!byUrl.has(target)) byUrl.set(target, newFollowed(playlist.uri, target, playlist.isSubtitles))
  }
  return [...byUrl.values()]
}

function resolve({ uri }: ListedPlaylist, base: string): string | undefined {
  const target = URL.parse(uri, base)
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : undefined
}

const nameOf = (url: string): string => new URL(url).pathname.split('/').at(-1) || url

const newFollowed = (name: string, url: string, isSubtitles: boolean): Followed => ({
  name,
  url,
  isSubtitles,
  first: undefined,
  hasEnded: false,
  text: undefined,
  targetMs: undefined,
  lastSequence: -1,
})

async function follow(watch: Watch, playlist: Followed): Promise<void> {
  while (!watch.stop.aborted && !playlist.hasEnded) {
    const sentMs = nowMs()
    const isChanged = await load(watch, playlist, sentMs)
    if (playlist.hasEnded) return
    const { targetMs } = playlist
    const pauseMs = targetMs === undefined ? RETRY_MS : isChanged ? targetMs : targetMs / 2
    const waitMs = Math.max(SHORTEST_WAIT_MS, sentMs + pauseMs - nowMs())
    await sleep(waitMs, undefined, { signal: watch.stop }).catch(() => {})
  }
}

/** Loads and checks a playlist once; returns whether its text was new. */
async function load(watch: Watch, playlist: Followed, sentMs: number): Promise<boolean> {
  const { validator, report, counts, stop } = watch
  const answer = playlist.first ?? (await fetchPlaylist(playlist.url, stop))
  playlist.first = undefined
  if (answer.kind === 'fault' && answer.isStopped) return false
  const at = { atMs: nowMs(), rendition: playlist.name }
  const noteAs = (rule: Rule, fault: string | undefined) => report(validator.note(rule, fault, at))
  counts.loads += 1
  noteAs('unavailable', answer.kind === 'fault' ? `${answer.fault} from ${playlist.url}` : undefined)
  if (answer.kind === 'fault') return false
  noteAs('not-identifiable', answer.identityFault)
  noteAs('encoding', answer.encodingFault)
  const { text } = answer
  const isChanged = text !== playlist.text
  const { isSubtitles } = playlist
  report(validator.checkMedia({ ...at, sentMs, text, isSubtitles }))
  if (isChanged) noteText(watch, playlist, text)
  return isChanged
}

/** What the pace and the summary need of a text. */
function noteText({ counts }: Watch, playlist: Followed, text: string): void {
  const parsed = parseMedia(text, { isHouse: false })
  if (parsed === undefined) return
  if (playlist.text === undefined) counts.checked += 1
  playlist.text = text
  counts.changes += 1
  if (parsed.target !== undefined) playlist.targetMs = Math.min(parsed.target * 1_000, LONGEST_WAIT_MS)
  playlist.hasEnded = parsed.isEnded
  const last = parsed.segments.at(-1)?.sequence ?? -1
  const isRestart = last < playlist.lastSequence
  counts.segments += parsed.segments.filter(
    ({ sequence }) => isRestart || sequence > playlist.lastSequence,
  ).length
  playlist.lastSequence = last
}
