import { appendFileSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createOutboundClient } from '../../../platform/outbound/outbound-client.ts'
import { aServer } from '../../../platform/outbound/testing/a-server.ts'
import { encodeSource } from '../encode-source.ts'
import type { LiveEncoder } from '../live-encoder.ts'
import { aLadder, runProgram } from './an-encoding.ts'
import { listTrack, type MadeSource, MULTIVARIANT } from './demuxed-media.ts'

/** House segments from one break to the next, concatenated. */
export interface Passage {
  readonly file: string
  segments: number
}

export type Content = string | Buffer | undefined
export type Files = Record<string, Content | (() => Content)>

const PATIENCE_MS = 300_000

/** Encodes a source whose files the test may change meanwhile, and collects the house segments. */
export async function anEncodedSource(t: TestContext, files: Files) {
  const server = await aServer((request, response) => {
    const file = files[(request.url ?? '').slice(1)]
    const bytes = typeof file === 'function' ? file() : file
    if (bytes === undefined) response.writeHead(404).end()
    else response.end(bytes)
  })
  t.after(() => server[Symbol.asyncDispose]())
  const outboundClient = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  t.after(() => outboundClient.close())
  const folder = await mkdtemp(join(tmpdir(), 'continuity-demuxed-'))
  const encoders = new Set<LiveEncoder>()
  t.after(() => Promise.all([...encoders].map((encoder) => encoder[Symbol.asyncDispose]())))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const passages: Passage[] = []
  const ended = encodeSource({
    outboundClient,
    runProgram,
    brokerMs: Date.now,
    encoders,
    scratchFolder: folder,
    preset: 'ultrafast',
    loudnessLufs: null,
    // All segments are available at once, and the machine may be busy.
    mostBehindMs: PATIENCE_MS,
    sourceId: 'source',
    input: 0,
    signal: AbortSignal.timeout(PATIENCE_MS),
    url: `${server.origin}/multivariant.m3u8`,
    ladder: aLadder('192x108@200+64'),
    format: {
      frameRate: 25,
      segmentMs: 3_200,
    },
    onAudioFault() {},
    add({ segment, release }, isBreak) {
      if (isBreak)
        passages.push({
          file: join(folder, `passage-${passages.length}.ts`),
          segments: 0,
        })
      const passage = passages.at(-1)!
      passage.segments += 1
      appendFileSync(passage.file, readFileSync(segment.files['108p']!))
      void release()
    },
  })
  /** Waits until it fails and everything read is encoded. Returns the code. */
  const end = async (): Promise<unknown> => {
    const error = await ended.then(
      () => undefined,
      (thrown: { readonly code?: string }) => thrown,
    )
    while (encoders.size > 0) await setTimeout(50)
    return error?.code
  }
  return { end, passages }
}

/** Returns one after another; repeats the last. */
export const inSequence = (...answers: readonly Content[]) => {
  let at = 0
  return () => answers[Math.min(at++, answers.length - 1)]
}

const END = '#EXT-X-ENDLIST\n'

/** The first request lists six seconds, the next everything, and then the playlist ends. */
export function filesOf(...sources: readonly MadeSource[]): Files {
  const track = (name: 'video' | 'audio') => {
    const [first] = sources.map((source) => source[name])
    const all = sources.map((source) => [source[name], 0, source[name].segments.length] as const)
    return inSequence(
      listTrack(0, [[first!, 0, 6 / first!.seconds]]),
      listTrack(0, all),
      listTrack(0, all, END),
    )
  }
  return {
    'multivariant.m3u8': MULTIVARIANT,
    'video.m3u8': track('video'),
    'audio.m3u8': track('audio'),
    ...Object.assign({}, ...sources.flatMap(({ video, audio }) => [video.files, audio.files])),
  }
}
