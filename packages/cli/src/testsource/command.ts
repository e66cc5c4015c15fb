import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { type Command, command } from '../terminal/command.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  return Number.isInteger(value) && value >= least && value <= most
    ? { value }
    : { fault: `must be a whole number from ${least} to ${most}` }
}

const NAME = 'testsource'

const testSource = command({
  name: NAME,
  about:
    'Serve a live HLS stream on loopback, for tests of live sources; type a letter and Enter to make it fail',
  options: {
    port: { about: 'Port; default a free one', value: 'NUMBER', read: wholeNumber(1, 65_535) },
    size: {
      about: 'Size of the picture, such as 1280x720',
      value: 'WIDTHxHEIGHT',
      read: (text: string) =>
        /^\d{2,4}x\d{2,4}$/.test(text) ? { value: text } : { fault: 'must be a size such as 640x360' },
    },
    segments: { about: 'Duration of a segment', value: 'SECONDS', read: wholeNumber(1, 20) },
    fps: { about: 'Frames per second', value: 'NUMBER', read: wholeNumber(1, 60) },
    fmp4: { about: 'Fragmented MP4 instead of MPEG-TS' },
    demuxed: { about: 'Audio in its own media playlist' },
    packed: { about: 'Like --demuxed, as packed AAC; not with --fmp4 or --encrypted' },
    'audio-segments': {
      about: 'Duration of an audio segment that has its own playlist',
      value: 'SECONDS',
      read: wholeNumber(1, 20),
    },
    beeps: { about: 'A flash and a beep in each second' },
    encrypted: { about: 'Encrypted with AES-128' },
    burst: {
      about: 'List new segments in bursts, with this interval',
      value: 'SECONDS',
      read: wholeNumber(1, 60),
    },
    'wrap-after': {
      about: 'Timestamps of MPEG-TS wrap (at 2^33) after this many seconds',
      value: 'SECONDS',
      read: wholeNumber(1, 86_400),
    },
    drift: {
      about: 'How much faster its clock runs, in percent; negative for slower',
      value: 'PERCENT',
      read: (text: string) => {
        const percent = Number(text)
        return Math.abs(percent) <= 10 ? { value: percent } : { fault: 'must be from -10 to 10' }
      },
    },
  },
  async run({ options, world, report }) {
    if (options.packed && (options.fmp4 || options.encrypted)) {
      throw new UsageFault('--packed cannot be used with --fmp4 or --encrypted', NAME)
    }
    const wrapAfter = options['wrap-after']
    const segmentSeconds = options.segments ?? usualSource.segmentSeconds
    const stopped = world.interruption()
    await using source = await startTestSource({
      ...usualSource,
      port: options.port ?? 0,
      size: options.size ?? usualSource.size,
      segmentSeconds,
      frameRate: options.fps ?? usualSource.frameRate,
      container: options.fmp4 ? 'fmp4' : 'ts',
      audio: options.packed ? 'packed' : options.demuxed ? 'rendition' : 'muxed',
      audioSegmentSeconds: options['audio-segments'] ?? segmentSeconds,
      hasBeeps: options.beeps,
      isEncrypted: options.encrypted,
      burstSeconds: options.burst ?? usualSource.burstSeconds,
      startSeconds: wrapAfter === undefined ? usualSource.startSeconds : WRAP_SECONDS - wrapAfter,
      speed: 1 + (options.drift ?? 0) / 100,
    })
    report(`${source.url}\n${KEYS}`)
    const actions: Readonly<Record<string, readonly [act: () => void, effect: string]>> = {
      s: [() => source.stall(), 'No further segments.'],
      r: [() => source.resume(), 'Segments again.'],
      b: [() => source.fail(503), 'Every request is answered with 503.'],
      h: [() => source.heal(), 'Requests are answered again.'],
      a: [() => source.fail(503, { names: /^audio/ }), 'Requests for audio are answered with 503.'],
      c: [() => source.cue(30), 'An ad cue of 30 s begins with the next segment.'],
      f: [() => void source.changeFormat('320x180'), 'From the next segment on, the picture is 320x180.'],
    }
    const readKeys = async () => {
      for await (const line of process.stdin.setEncoding('utf8')) {
        const [act, effect] = actions[String(line).trim().toLowerCase()] ?? []
        act?.()
        world.printError(effect ?? KEYS)
      }
    }
    readKeys().catch(() => {})
    await Promise.race([
      source.ended,
      new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve(), { once: true })),
    ])
    process.stdin.destroy()
    return {
      text: '',
      json: { url: source.url },
      ...(stopped.aborted ? { wasInterrupted: true } : { isFailure: true }),
    }
  },
})

const KEYS =
  's stall, r resume, b break, a break the audio, h heal, c ad cue, f change the format; Ctrl-C ends it'

/** Timestamps of MPEG-TS have 33 bits of 1/90,000 s. */
const WRAP_SECONDS = 2 ** 33 / 90_000

export const testSourceCommands: readonly Command[] = [testSource]
