import { decodeSection } from '../scte35/decode-section.ts'
import { readBase64, readHex } from '../scte35/read-bytes.ts'
import type { SpliceInfoSection } from '../scte35/section.ts'

/** The start or the end of an ad break, as announced by the playlist of a source. */
export interface SourceCue {
  readonly kind: 'out' | 'in'
  /** Duration of a break that begins; undefined if the source does not state it. */
  readonly durationMs: number | undefined
}

/** A cue in the middle of a segment, or at its start. */
export interface PlacedCue extends SourceCue {
  readonly offsetMs: number
}

/** A cue by EXT-X-DATERANGE, which can be anywhere in the playlist. */
export interface DatedCue extends SourceCue {
  /** The same in every reload. */
  readonly key: string
  /** Undefined: with the next segment. */
  readonly atMs: number | undefined
}

/** Longer breaks are mistakes, such as milliseconds instead of seconds. */
const LONGEST_SECONDS = 3_600
const TICKS_PER_MS = 90

/**
 * Segmentation types whose start leaves the programme: breaks, ads, placement opportunities, promos
 * (§10.3.3.1).
 */
const OUT_TYPES = new Set([0x22, 0x30, 0x32, 0x34, 0x36, 0x44, 0x46])

/** EXT-X-CUE-OUT: seconds, or `DURATION=` among other attributes, or nothing. */
export function readCueOut(value: string): SourceCue {
  const seconds = /^\s*"?(\d+(?:\.\d+)?)/.exec(value) ?? /DURATION="?(\d+(?:\.\d+)?)/i.exec(value)
  return { kind: 'out', durationMs: lengthOf(Number(seconds?.[1])) }
}

export const cueIn: SourceCue = { kind: 'in', durationMs: undefined }

/** EXT-OATCLS-SCTE35: a section in base64. */
export function readBase64Cue(value: string): SourceCue | undefined {
  const bytes = readBase64(value.trim())
  return bytes && cueOf(bytes)
}

/** EXT-X-DATERANGE with SCTE-35. An end is a separate cue, even if one tag has both. */
export function readDateRange(attributes: ReadonlyMap<string, string>): readonly DatedCue[] {
  const id = attributes.get('ID')
  if (id === undefined) return []
  const startMs = timeOf(attributes.get('START-DATE'))
  const endMs = timeOf(attributes.get('END-DATE'))
  const statedMs = lengthOf(Number(attributes.get('DURATION') ?? attributes.get('PLANNED-DURATION')))
  const lengthMs = endMs !== undefined && startMs !== undefined ? endMs - startMs : statedMs
  const read = (name: string) => readHexCue(attributes.get(name) ?? '')
  const command = read('SCTE35-CMD')
  const out = attributes.has('SCTE35-OUT') ? (read('SCTE35-OUT') ?? outCue) : command
  const cues: DatedCue[] = []
  if (out?.kind === 'out')
    cues.push({ kind: 'out', key: `${id} out`, atMs: startMs, durationMs: lengthMs ?? out.durationMs })
  if (attributes.has('SCTE35-IN') || command?.kind === 'in') {
    const lengthIsActual = attributes.has('DURATION') || endMs !== undefined
    const isEnd = attributes.has('SCTE35-IN') && lengthIsActual && startMs !== undefined
    // Without a duration the end is unknown: it takes effect with the next segment.
    const atMs = isEnd ? startMs + (lengthMs ?? 0) : command?.kind === 'in' ? startMs : undefined
    cues.push({ ...cueIn, key: `${id} in`, atMs })
  }
  return cues
}

const outCue: SourceCue = { kind: 'out', durationMs: undefined }

/** Merges equal cues at the same position: many packagers announce a break in two ways. */
export function mergeCues(cues: readonly PlacedCue[]): readonly PlacedCue[] {
  const merged: PlacedCue[] = []
  for (const cue of cues.toSorted((a, b) => a.offsetMs - b.offsetMs)) {
    const at = merged.findIndex(
      (it) => it.kind === cue.kind && Math.abs(it.offsetMs - cue.offsetMs) < SAME_POSITION_MS,
    )
    if (at < 0) merged.push(cue)
    else merged[at] = { ...merged[at]!, durationMs: merged[at]!.durationMs ?? cue.durationMs }
  }
  return merged
}

const SAME_POSITION_MS = 1_000

function readHexCue(value: string): SourceCue | undefined {
  const bytes = readHex(value)
  return bytes && cueOf(bytes)
}

function cueOf(bytes: Uint8Array): SourceCue | undefined {
  const decoded = decodeSection(bytes)
  return decoded.kind === 'section' ? cueOfSection(decoded.section) : undefined
}

function cueOfSection({ command, descriptors }: SpliceInfoSection): SourceCue | undefined {
  if (command.kind === 'splice_insert') {
    const durationMs = msOfTicks(command.breakDuration?.durationTicks)
    return command.isOutOfNetwork ? { kind: 'out', durationMs } : cueIn
  }
  if (command.kind !== 'time_signal') return undefined
  for (const descriptor of descriptors) {
    if (descriptor.kind !== 'segmentation') continue
    const { typeId, durationTicks } = descriptor
    if (OUT_TYPES.has(typeId)) return { kind: 'out', durationMs: msOfTicks(durationTicks) }
    // The type of each end is the type of its start plus one.
    if (OUT_TYPES.has(typeId - 1)) return cueIn
  }
  return undefined
}

const msOfTicks = (ticks: number | null | undefined) =>
  lengthOf(ticks === null || ticks === undefined ? Number.NaN : ticks / TICKS_PER_MS / 1_000)

const lengthOf = (seconds: number): number | undefined =>
  seconds > 0 && seconds <= LONGEST_SECONDS ? Math.round(seconds * 1_000) : undefined

function timeOf(value: string | undefined): number | undefined {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
