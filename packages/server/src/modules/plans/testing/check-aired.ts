import { BREAK_SECONDS, BREAKS_PER_HOUR, REPLAY_ID, SEPARATION_MINUTES } from './a-library.ts'
import type { Hit } from './a-plan-api.ts'

/** A row of the as-run record. */
export interface RecordedEntry {
  readonly startMs: number
  readonly endMs: number
  readonly segments: number
  readonly programId: string | null
  readonly type: string
  readonly videoId: string | null
  readonly breakSequence: number | null
}

export interface Announced {
  readonly title: string
  readonly startMs: number
  readonly endMs: number
}

export interface Aired {
  readonly entries: readonly RecordedEntry[]
  /** As the schedule listed each program last before it began. */
  readonly announced: ReadonlyMap<string, Announced>
  readonly originOf: ReadonlyMap<string, Hit['origin']>
  readonly listed: ListedSegments
  readonly videoOfAsset: ReadonlyMap<string, string>
}

/** How far a program may begin and end from its time: half a segment of a slate, and rounding. */
const BESIDE_MS = 801

const HOUR_MS = 3_600_000

/** From the start of a channel until it is on the air. */
const START_MS = 2_000

interface Airing {
  readonly programId: string
  readonly videoId: string
  readonly startMs: number
  endMs: number
}

export function checkAired(aired: Aired): {
  readonly counts: Readonly<Record<AiredCount, number>>
  readonly faults: Readonly<Record<AiredFault, readonly string[]>>
} {
  const { entries, announced, originOf } = aired
  const faults: Record<AiredFault, string[]> = { gaps: [], unlike: [], segments: [], breaks: [], repeats: [] }
  const programs = joinPrograms(entries)
  const airings = joinAirings(entries)
  for (const [at, { startMs, endMs }] of entries.slice(0, -1).entries())
    if (entries[at + 1]!.startMs !== endMs)
      faults.gaps.push(`from ${new Date(startMs).toISOString()} to ${entries[at + 1]!.startMs - endMs} ms`)
  faults.unlike.push(...compareAnnounced(programs, announced, entries))
  const compared = compareSegments(aired, faults.segments)
  const breaks = joinBreaks(entries)
  for (const [at, { startMs, endMs }] of breaks.entries()) {
    const when = new Date(startMs).toISOString()
    if (endMs - startMs > BREAK_SECONDS * 1_000 + 2 * BESIDE_MS)
      faults.breaks.push(`${when}: ${endMs - startMs} ms`)
    const within = breaks.slice(at).filter((it) => it.startMs < startMs + HOUR_MS - BESIDE_MS).length
    if (within > BREAKS_PER_HOUR) faults.breaks.push(`${when}: ${within} breaks in an hour`)
  }
  const lastOf = new Map<string, Airing>()
  let pairs = 0
  for (const airing of airings) {
    const before = lastOf.get(airing.videoId)
    lastOf.set(airing.videoId, airing)
    // Operators may place what they like, and a replay repeats by its nature.
    if (before === undefined || !areOfRules(originOf, before, airing)) continue
    if (originOf.get(airing.programId)!.id === REPLAY_ID) continue
    pairs += 1
    if (airing.startMs - before.endMs < SEPARATION_MINUTES * 60_000 - 2 * BESIDE_MS)
      faults.repeats.push(
        `${airing.videoId} at ${new Date(airing.startMs).toISOString()}, ${Math.round((airing.startMs - before.endMs) / 60_000)} minutes after its last airing`,
      )
  }
  const programMs = programs.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return {
    counts: {
      programs: programs.length,
      comparedSegments: compared,
      breaks: breaks.length,
      repeatedVideos: pairs,
      programMinutes: Math.round(programMs / 60_000),
    },
    faults,
  }
}

type AiredCount = 'programs' | 'comparedSegments' | 'breaks' | 'repeatedVideos' | 'programMinutes'
type AiredFault = 'gaps' | 'unlike' | 'segments' | 'breaks' | 'repeats'

const areOfRules = (originOf: Aired['originOf'], ...both: readonly Airing[]): boolean =>
  both.every(({ programId }) => originOf.get(programId)?.type === 'RULE')

interface Part {
  readonly programId: string
  readonly startMs: number
  endMs: number
}

function joinPrograms(entries: readonly RecordedEntry[]): Part[] {
  const parts: Part[] = []
  for (const { programId, startMs, endMs } of entries) {
    const last = parts.at(-1)
    if (programId === null) continue
    if (last?.programId === programId && last.endMs === startMs) last.endMs = endMs
    else parts.push({ programId, startMs, endMs })
  }
  return parts
}

/** A video with its breaks is one airing. */
function joinAirings(entries: readonly RecordedEntry[]): Airing[] {
  const airings: Airing[] = []
  for (const { programId, videoId, type, startMs, endMs } of entries) {
    if (type !== 'VIDEO' || programId === null || videoId === null) continue
    const last = airings.at(-1)
    if (last?.programId === programId && last.videoId === videoId) last.endMs = endMs
    else airings.push({ programId, videoId, startMs, endMs })
  }
  return airings
}

function joinBreaks(entries: readonly RecordedEntry[]): { readonly startMs: number; endMs: number }[] {
  const breaks: { readonly sequence: number | null; readonly startMs: number; endMs: number }[] = []
  for (const { type, breakSequence: sequence, startMs, endMs } of entries) {
    if (type !== 'AD_POD') continue
    const last = breaks.at(-1)
    if (last?.sequence === sequence && last?.endMs === startMs) last.endMs = endMs
    else breaks.push({ sequence, startMs, endMs })
  }
  return breaks
}

/** Every program aired once and as announced; nothing aired that was not. */
function compareAnnounced(
  programs: readonly Part[],
  announced: Aired['announced'],
  entries: readonly RecordedEntry[],
): string[] {
  const faults: string[] = []
  const untilMs = entries.at(-1)!.endMs
  const seen = new Map<string, number>()
  for (const { programId, startMs, endMs } of programs) {
    seen.set(programId, (seen.get(programId) ?? 0) + 1)
    const plan = announced.get(programId)
    const when = new Date(startMs).toISOString()
    if (plan === undefined) faults.push(`${when}: ${programId} was not announced`)
    // The first began before the channel was on the air.
    else if (Math.abs(plan.startMs - startMs) > (programId === programs[0]!.programId ? START_MS : BESIDE_MS))
      faults.push(`${when}: ${plan.title} began ${startMs - plan.startMs} ms late`)
    else if (Math.abs(plan.endMs - endMs) > BESIDE_MS && endMs < untilMs)
      faults.push(`${when}: ${plan.title} ended ${endMs - plan.endMs} ms late`)
  }
  for (const [programId, { title, endMs }] of announced) {
    if (endMs > untilMs) continue
    const times = seen.get(programId) ?? 0
    if (times !== 1) faults.push(`${title} until ${new Date(endMs).toISOString()} aired ${times} times`)
  }
  return faults
}

/** The segments of each video in the record are those of its file in the playlists. */
function compareSegments({ entries, listed, videoOfAsset }: Aired, faults: string[]): number {
  let sequence = 0
  let compared = 0
  for (const { segments, type, videoId, startMs } of entries) {
    if (type === 'VIDEO') {
      for (let at = sequence; at < sequence + segments; at += 1) {
        const asset = listed.assetOf(at)
        if (asset === undefined) continue
        compared += 1
        if (videoOfAsset.get(asset) !== videoId)
          faults.push(`segment ${at} of ${new Date(startMs).toISOString()} is of another video`)
      }
    }
    sequence += segments
  }
  return compared
}

interface GuideProgram {
  readonly program_id: string | null
  readonly title: string
  readonly start_time: string
  readonly end_time: string
}

/** Guides show the announced time of what begins or ends up to a second off it. */
const NEAR_MS = 1_000

/** Whether the guide of an output lists the same programs as the schedule, of those that begin between two times. */
export function compareGuide(
  guide: string,
  scheduled: readonly Hit[],
  fromMs: number,
  toMs: number,
): { readonly faults: readonly string[]; readonly compared: number } {
  const { programs } = JSON.parse(guide) as { readonly programs: readonly GuideProgram[] }
  const isBetween = ({ start_time }: { readonly start_time: string }) =>
    Date.parse(start_time) > fromMs + NEAR_MS && Date.parse(start_time) < toMs - NEAR_MS
  const inGuide = new Map(programs.filter(isBetween).map((it) => [String(it.program_id), it]))
  const inSchedule = scheduled.filter(isBetween)
  const faults: string[] = []
  for (const { program_id, title, start_time, end_time } of inSchedule) {
    const entry = inGuide.get(program_id)
    if (entry === undefined) faults.push(`${title} at ${start_time} is not in the guide`)
    else if (
      entry.title !== title ||
      !isNear(entry.start_time, start_time) ||
      !isNear(entry.end_time, String(end_time))
    )
      faults.push(
        `${title} from ${start_time} to ${end_time} is ${entry.title} from ${entry.start_time} to ${entry.end_time} in the guide`,
      )
    inGuide.delete(program_id)
  }
  for (const { title, start_time } of inGuide.values())
    faults.push(`${title} at ${start_time} is in the guide alone`)
  return { faults, compared: inSchedule.length }
}

const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= NEAR_MS

/** Which asset each segment of a channel was, by sequence number, as its playlists listed them. */
export interface ListedSegments {
  add(text: string): void
  /** The asset of a segment; undefined where no playlist listed it. */
  assetOf(sequence: number): string | undefined
  /** Sequence numbers that were listed. */
  count(): number
  /** Segments that a later playlist listed with another asset. */
  readonly changed: readonly string[]
}

export function listSegments(): ListedSegments {
  const assets = new Map<number, string>()
  const changed: string[] = []
  return {
    add(text) {
      let sequence = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)![1])
      for (const [, asset] of text.matchAll(/^\/media\/assets\/[^/]+\/([^/]+)\//gm)) {
        const before = assets.get(sequence)
        if (before === undefined) assets.set(sequence, asset!)
        else if (before !== asset) changed.push(`segment ${sequence}: ${before}, then ${asset}`)
        sequence += 1
      }
    },
    assetOf: (sequence) => assets.get(sequence),
    count: () => assets.size,
    changed,
  }
}
