import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Ladder, printLadder } from '@continuity/core/media/ladder'
import { type Figures, median, round } from '@continuity/dev/figures'
import { pollUntil } from '@continuity/dev/waiting'
import { bareArguments } from '../packaging/bare-ffmpeg.ts'
import { cpuMsOf } from '../packaging/child-cpu.ts'
import { format } from './house-format.ts'
import { makeLiveFilm } from './live-film.ts'
import { type LoneReceiver, startLoneReceiver } from './lone-receiver.ts'

export interface ReceiverComparison {
  readonly ladder: Ladder
  readonly preset: string
  readonly rounds: number
  /** House segments that a round measures, after the skipped ones. */
  readonly segments: number
  /** Skipped at the start: they are encoded faster than real time, from the segments that a source lists at first. */
  readonly skippedSegments: number
  log(line: string): void
}

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
  readonly segments: number
}

/** For the segments that a source lists at first, and for a slow machine. */
const SPARE_SECONDS = 25
const PATIENCE_MS = 240_000
const POLL_MS = 50

/** The ratio of the processor time of receiving a source to that of its bare encoding. */
export async function compareReceiver(options: ReceiverComparison): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(root, { recursive: true, force: true }))
  const { ladder, preset, log } = options
  const highest = ladder.at(-1)!
  const seconds = ((options.skippedSegments + options.segments) * format.segmentMs) / 1_000 + SPARE_SECONDS
  const film = await makeLiveFilm(opened, {
    folder: root,
    seconds,
    size: `${highest.width}x${highest.height}`,
  })
  const settings = { LADDER: printLadder(ladder), ENCODER_PRESET: preset }
  const receiver = await startLoneReceiver(opened, { allow: [film.host], settings })

  const rounds: { readonly ours: Cost; readonly bare: Cost; readonly stored: number }[] = []
  for (let at = 1; at <= options.rounds; at += 1) {
    const folder = await mkdtemp(join(root, 'bare-'))
    const bare = await measureBare(
      bareArguments(film.file, folder, { ladder, preset, format, isRealTime: true }),
      {
        options,
        folder,
      },
    )
    await rm(folder, { recursive: true })
    const { ours, stored } = await measureOurs(receiver, film.newStream(), options)
    rounds.push({ ours, bare, stored })
    log(`round ${at}: bare ${cores(bare)} cores, ours ${cores(ours)}, ratio ${ratioOf(rounds.at(-1)!)}`)
  }
  const ratios = rounds.map(ratioOf)
  const all = (pick: (it: (typeof rounds)[number]) => number) => rounds.reduce((sum, it) => sum + pick(it), 0)
  return {
    receiver_cpu_ratio: round(median(ratios), 3),
    lowest_ratio: Math.min(...ratios),
    highest_ratio: Math.max(...ratios),
    bare_cores: round(median(rounds.map(({ bare }) => cores(bare))), 3),
    our_cores: round(median(rounds.map(({ ours }) => cores(ours))), 3),
    bare_speed: round(median(rounds.map(({ bare }) => speed(bare))), 2),
    our_speed: round(median(rounds.map(({ ours }) => speed(ours))), 2),
    stored_segments_share: round(all(({ stored }) => stored) / all(({ ours }) => ours.segments), 2),
    segments_measured: all(({ ours }) => ours.segments),
    rungs: ladder.length,
    rounds: options.rounds,
  }
}

async function measureBare(
  args: readonly string[],
  { options, folder }: { readonly options: ReceiverComparison; readonly folder: string },
): Promise<Cost> {
  const child = spawn('ffmpeg', args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  try {
    const made = () => newestIn(folder, `${options.ladder.at(-1)!.name}*.ts`)
    return await measure(child.pid!, made, options)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

async function measureOurs(receiver: LoneReceiver, url: string, options: ReceiverComparison) {
  const rung = options.ladder.at(-1)!.name
  const made = () => newestIn(receiver.scratchFolder, `*/${rung}/*.ts`)
  const stored = () => globSync(`**/${rung}/*.ts`, { cwd: receiver.mediaFolder }).length
  const reception = await receiver.receive(url)
  try {
    // Storing is some slots behind encoding, by the same number at the start and at the end.
    let storedBefore = 0
    const ours = await measure(receiver.child.pid, made, options, () => {
      storedBefore = stored()
    })
    return { ours, stored: stored() - storedBefore }
  } finally {
    await reception[Symbol.asyncDispose]()
    await pollUntil(() => (made() === -1 ? true : undefined), PATIENCE_MS)
    await rm(join(receiver.mediaFolder, 'live'), { recursive: true, force: true })
    await mkdir(receiver.mediaFolder, { recursive: true })
  }
}

/** Measures from the end of one segment to the end of another: both have the same preceding work, also on a slow machine. */
async function measure(
  pid: number,
  made: () => number,
  { segments, skippedSegments }: ReceiverComparison,
  onStart: () => void = () => {},
): Promise<Cost> {
  const until = async (number: number) => {
    const endMs = performance.now() + PATIENCE_MS
    let newest = made()
    for (; newest < number; newest = made()) {
      if (performance.now() > endMs) throw new Error(`segment ${number} was not encoded in time`)
      await setTimeout(POLL_MS)
    }
    return { number: newest, cpuMs: treeCpuMs(pid), wallMs: performance.now() }
  }
  const from = await until(skippedSegments)
  onStart()
  const to = await until(from.number + segments)
  return {
    cpuMs: to.cpuMs - from.cpuMs,
    wallMs: to.wallMs - from.wallMs,
    segments: to.number - from.number,
  }
}

/** The number of the newest complete segment; -1 if there is none. */
function newestIn(cwd: string, pattern: string): number {
  const numbers = globSync(pattern, { cwd }).map((name) => Number(/(\d+)\.ts$/.exec(name)?.[1] ?? -1))
  return Math.max(-1, ...numbers)
}

const mediaMs = ({ segments }: Cost): number => segments * format.segmentMs
const cores = (cost: Cost): number => round(cost.cpuMs / mediaMs(cost), 3)
const speed = (cost: Cost): number => mediaMs(cost) / cost.wallMs
const ratioOf = ({ ours, bare }: { readonly ours: Cost; readonly bare: Cost }): number =>
  round(ours.cpuMs / ours.segments / (bare.cpuMs / bare.segments), 3)

/** Processor time, user and system, of a process and its descendants. */
function treeCpuMs(root: number): number {
  const parents = readParents()
  const isInTree = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isInTree(parents.get(pid) as number))
  const cpuMs = [root, ...parents.keys()]
    .filter((pid, at) => at === 0 || (pid !== root && isInTree(pid)))
    .map(cpuOrGone)
  return cpuMs.reduce((sum, ms) => sum + ms, 0)
}

/** Running processes by pid, with their parents. */
function readParents(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name is in parentheses, and may contain anything.
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended: its time is counted with its parent's.
    }
  }
  return parents
}

function cpuOrGone(pid: number): number {
  try {
    return cpuMsOf(pid)
  } catch {
    return 0
  }
}
