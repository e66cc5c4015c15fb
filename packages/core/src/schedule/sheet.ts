import { offsetOf, type Span } from '../timeline/span.ts'
import type { Piece } from './piece.ts'
import type { Slates } from './scheduled-program.ts'
import type { Warning } from './warning.ts'

/** A layout while it is being written. */
export interface Sheet {
  readonly pieces: Piece[]
  readonly warnings: Warning[]
  /** Where the last piece ends. */
  endTicks: number
  readonly untilTicks: number
  readonly slates: Slates
  /** What is shown before the first piece. */
  readonly before: Span | undefined
}

export const isEnough = ({ endTicks, untilTicks }: Sheet): boolean => endTicks >= untilTicks

/** Writes a piece where the last one ends; of no segments there is none. */
export function addPiece(sheet: Sheet, piece: Pick<Piece, 'segments' | 'show' | 'airing'>): void {
  if (piece.segments === 0) return
  const ticks = offsetOf(piece, piece.segments)
  const adBreakTicks = piece.airing.type === 'AD_POD' ? ticks : null
  sheet.pieces.push({ startTicks: sheet.endTicks, ...piece, adBreakTicks })
  sheet.endTicks += ticks
}
