import type { Draw } from '../draw.ts'

/** A damaged file. */
export interface Damaged {
  readonly kind: keyof typeof kinds
  readonly bytes: Buffer
  /** The bytes of the original that were changed or removed. */
  readonly touched: readonly Range[]
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** A frame of a log by its documented format: length, checksum, and a body that begins with the channel. */
export interface LogFrame extends Range {
  readonly channelId: string
}

const HEAD_BYTES = 8

export function listFrames(log: Buffer): readonly LogFrame[] {
  const frames: LogFrame[] = []
  for (let from = 0; from < log.length; ) {
    const to = from + HEAD_BYTES + log.readUInt32BE(from)
    const keyAt = from + HEAD_BYTES + 1
    const key = log.toString('latin1', keyAt, keyAt + log[keyAt - 1]!)
    frames.push({ from, to, channelId: key.slice(key.indexOf('.') + 1) })
    from = to
  }
  return frames
}

export const damageKinds = (): readonly Damaged['kind'][] => Object.keys(kinds) as Damaged['kind'][]

/** Damages a log at random positions. The result always differs from the input. */
export function drawDamage(
  draw: Draw,
  kind: Damaged['kind'],
  log: Buffer,
  frames: readonly LogFrame[],
): Damaged {
  for (;;) {
    const damaged = kinds[kind](draw, log, frames)
    if (!damaged.bytes.equals(log)) return { kind, ...damaged }
  }
}

type Damage = (draw: Draw, log: Buffer, frames: readonly LogFrame[]) => Omit<Damaged, 'kind'>

const drawBytes = (draw: Draw, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => draw.below(256)))

const flip = (draw: Draw, log: Buffer, offsets: readonly number[]) => {
  const bytes = Buffer.from(log)
  for (const at of offsets) bytes[at]! ^= 1 << draw.below(8)
  return { bytes, touched: offsets.map((at) => ({ from: at, to: at + 1 })) }
}

const kinds = {
  flip: (draw, log) =>
    flip(
      draw,
      log,
      draw.some(1, 3, () => draw.below(log.length)),
    ),
  /** In the length, the checksum or the key length of a frame. */
  flipInHead: (draw, log, frames) => flip(draw, log, [draw.one(frames).from + draw.below(HEAD_BYTES + 1)]),
  overwrite(draw, log) {
    const from = draw.below(log.length)
    const length = Math.min(1 + draw.below(20_000), log.length - from)
    const elsewhere = draw.below(log.length - length + 1)
    const over = draw.one([
      drawBytes(draw, length),
      Buffer.alloc(length),
      // As a misdirected write: it may contain complete frames.
      log.subarray(elsewhere, elsewhere + length),
    ])
    const bytes = Buffer.concat([log.subarray(0, from), over, log.subarray(from + length)])
    return { bytes, touched: [{ from, to: from + length }] }
  },
  truncate(draw, log) {
    const from = draw.below(log.length)
    return { bytes: Buffer.from(log.subarray(0, from)), touched: [{ from, to: log.length }] }
  },
  insert(draw, log) {
    const at = draw.below(log.length)
    const more = drawBytes(draw, 1 + draw.below(5_000))
    const bytes = Buffer.concat([log.subarray(0, at), more, log.subarray(at)])
    return { bytes, touched: [{ from: at, to: at + 1 }] }
  },
  remove(draw, log) {
    const from = draw.below(log.length)
    const to = Math.min(log.length, from + 1 + draw.below(5_000))
    return { bytes: Buffer.concat([log.subarray(0, from), log.subarray(to)]), touched: [{ from, to }] }
  },
} as const satisfies Record<string, Damage>
