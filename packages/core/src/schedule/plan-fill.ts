import { type Media, segmentsWithin, ticksBefore } from '../media/media.ts'
import { ticksOf } from '../time/ticks.ts'
import type { Airing, AssetShow, WindowedProgram } from '../timeline/span.ts'
import type { Filler, Slates } from './scheduled-program.ts'

/** A gap of this length or more is filled with fillers. */
export const LONG_GAP_TICKS = ticksOf(30_000)

/** The first filler of a gap changes this often. */
const TURN_MS = 60_000

export interface Gap {
  readonly startMs: number
  readonly ticks: number
  /** How much of it has to be planned now; the last filler may exceed it. */
  readonly wantedTicks: number
}

/** What fills a gap: first the fillers, then the slate for the rest. */
export interface Fill {
  readonly fillers: readonly PickedFiller[]
  readonly fillersTicks: number
  readonly slate: Media
  /** Fillers are needed, but the channel has none. */
  readonly isLackingFillers: boolean
}

export interface PickedFiller {
  readonly filler: Filler
  readonly segments: number
  readonly ticks: number
  /** Relative to the start of the gap. */
  readonly beginTicks: number
}

export function planFill(gap: Gap, slates: Slates): Fill {
  const isLong = gap.ticks >= LONG_GAP_TICKS
  const isLackingFillers = isLong && slates.fillers.length === 0
  const fillers = isLong && !isLackingFillers ? pickFillers(gap, slates.fillers) : []
  const last = fillers.at(-1)
  const fillersTicks = last === undefined ? 0 : last.beginTicks + last.ticks
  return {
    fillers,
    fillersTicks,
    slate: isLackingFillers ? slates.rescue : slates.timeFill,
    isLackingFillers,
  }
}

export const showWhole = (media: Media): AssetShow => ({
  kind: 'asset',
  media,
  firstSegment: 0,
  isLooped: false,
})

/** Without a filler, the airing of the slate. */
export function airingOfFill(program: WindowedProgram | null, component: number, filler?: Filler): Airing {
  const { referenceId = null, title = '' } = filler ?? {}
  return { program, component, type: 'TIME_FILL', referenceId, title }
}

function pickFillers(gap: Gap, fillers: readonly Filler[]): readonly PickedFiller[] {
  const picked: PickedFiller[] = []
  // The start depends on the time: otherwise the first filler of the list would be shown most often.
  let turn = Math.floor(gap.startMs / TURN_MS)
  let beginTicks = 0
  while (gap.ticks - beginTicks >= LONG_GAP_TICKS && beginTicks < gap.wantedTicks) {
    const leftTicks = gap.ticks - beginTicks
    turn = turnThatFits(fillers, turn, leftTicks) ?? turn
    const filler = fillers[turn % fillers.length]!
    const segments = segmentsWithin(filler.media, leftTicks)
    const ticks = ticksBefore(filler.media, segments)
    picked.push({ filler, segments, ticks, beginTicks })
    beginTicks += ticks
    turn += 1
  }
  return picked
}

/** The next turn, within one round, whose filler fits completely. */
function turnThatFits(fillers: readonly Filler[], turn: number, ticks: number): number | undefined {
  for (let at = turn; at < turn + fillers.length; at += 1) {
    if (fillers[at % fillers.length]!.media.durationTicks <= ticks) return at
  }
  return undefined
}
