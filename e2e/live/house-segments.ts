import { execFile } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoggedSlot } from './live-system.ts'

const run = promisify(execFile)

/** A house segment as ffprobe finds it. */
export interface HouseSegment {
  readonly slot: number
  readonly epoch: number
  /** Timestamps of its frames, in ticks. */
  readonly picture: readonly number[]
  readonly sound: readonly number[]
  readonly startsWithKey: boolean
}

/** Slots with one stream of timestamps, behind each other in a file. */
export interface HouseEpoch {
  readonly file: string
  readonly segments: readonly HouseSegment[]
}

/** Reads the segments of a rung, epoch by epoch. */
export async function readHouseEpochs(
  log: readonly LoggedSlot[],
  {
    mediaFolder,
    rung,
    folder,
  }: { readonly mediaFolder: string; readonly rung: string; readonly folder: string },
): Promise<readonly HouseEpoch[]> {
  const epochs = Map.groupBy(log, ({ epoch }) => epoch)
  const read: HouseEpoch[] = []
  for (const [epoch, slots] of epochs) {
    const file = join(folder, `epoch-${epoch}.ts`)
    const starts: number[] = [] // of each segment in the file, in bytes
    let bytes = 0
    for (const { slot, path } of slots) {
      const segment = await readFile(join(mediaFolder, path, rung, `${slot}.ts`))
      starts.push(bytes)
      bytes += segment.length
      await appendFile(file, segment)
    }
    const bySegment = Map.groupBy(await readPackets(file), ({ position }) => lastUpTo(starts, position))
    const segments = slots.map(({ slot }, at): HouseSegment => {
      const packets = bySegment.get(at) ?? []
      const picture = packets.filter(({ kind }) => kind === 'video')
      const sound = packets.filter(({ kind }) => kind === 'audio')
      return {
        slot,
        epoch,
        picture: picture.map(({ ticks }) => ticks),
        sound: sound.map(({ ticks }) => ticks),
        startsWithKey: picture[0]?.isKey === true,
      }
    })
    read.push({ file, segments })
  }
  return read
}

/** The index of the last number that is not greater. */
function lastUpTo(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    if (sorted[middle]! <= value) from = middle
    else to = middle
  }
  return from
}

interface Packet {
  readonly kind: string
  readonly ticks: number
  readonly isKey: boolean
  /** In the file; frames that share a packet of the transport stream have the same, or none after the first. */
  readonly position: number
}

async function readPackets(file: string): Promise<readonly Packet[]> {
  const shown = ['-show_entries', 'packet=codec_type,pts,pos,flags', '-of', 'compact=p=0:nk=0']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, file], { maxBuffer: 2 ** 28 })
  const last = new Map<string, number>()
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('codec_type='))
    .map((line) => {
      const fields = new Map(line.split('|').map((field) => field.split('=') as [string, string]))
      const kind = fields.get('codec_type')!
      const own = Number(fields.get('pos'))
      const position = Number.isNaN(own) ? (last.get(kind) ?? 0) : own
      last.set(kind, position)
      return { kind, position, ticks: Number(fields.get('pts')), isKey: fields.get('flags')!.startsWith('K') }
    })
}
