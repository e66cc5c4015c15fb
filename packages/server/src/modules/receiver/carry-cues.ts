import { setTimeout } from 'node:timers/promises'
import { changeByCue } from '@continuity/core/live/break-log'
import type { SourceCue } from '@continuity/core/live/source-cues'
import type { Media } from '@continuity/core/media/media'
import type { Bus } from '../../platform/bus/bus.ts'
import { changeBreaks } from '../../platform/live-bus/change-breaks.ts'
import type { Logger } from '../../platform/log/logger.ts'

export interface CueTarget {
  readonly sourceId: string
  readonly slot: number
  readonly slotMs: number
  /** What is shown in the break instead of the source's picture. */
  readonly slate: Media | null
}

export interface CueDeps {
  readonly bus: Bus
  readonly brokerMs: () => number
  readonly logger: Logger
}

const TRIES = 3
const RETRY_MS = 300

/** Turns the cues of a slot into ad breaks of the source. Cues that NATS does not accept are lost, as the slot itself is then. */
export async function carryCues(
  { bus, brokerMs, logger }: CueDeps,
  { sourceId, slot, slotMs, slate }: CueTarget,
  cues: readonly SourceCue[],
  signal: AbortSignal,
): Promise<void> {
  for (const cue of cues) {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        const { change } = await changeBreaks(bus, sourceId, slotMs, (log) =>
          changeByCue(log, cue, { slot, slate }, brokerMs()),
        )
        logger.info({ source: sourceId, slot, cue: cue.kind, result: change.kind }, 'carried over a cue')
        break
      } catch (err) {
        if (tries < TRIES) await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {})
        else {
          logger.warn(
            { source: sourceId, slot, cue: cue.kind, err },
            'carrying over a cue failed; dropping it',
          )
          break
        }
      }
    }
  }
}
