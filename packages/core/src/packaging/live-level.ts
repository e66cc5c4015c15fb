import { AUDIO_RATE } from '../media/house-format.ts'
import { GAIN_MAXIMUM_DB, limiter, SILENCE_LUFS } from './loudness.ts'

/**
 * Loudness is computed a hundred times per second, which is cheap; the sound itself only passes a
 * multiplication.
 */
const RATE = 100
/** Length of a block of ITU-R BS.1770. */
const BLOCK_SECONDS = 0.4
/** Averaging time of the programme: a minute ends at its target even if it becomes louder or softer. */
const PROGRAMME_SECONDS = 6
/** Increases are followed twice as fast as decreases, because viewers complain about loud sound. */
const LOUDER_RATE = 2
/** Largest loudness of a block above the target, as in EBU R 128 s1 for short programmes. */
const BLOCK_ABOVE_LU = 5
/** Sound further below the programme is a pause, and is not amplified. */
const PAUSE_BELOW_LU = 10

/** The weighting of ITU-R BS.1770-4, annex 1, tables 1 and 2, at 48 kHz. */
const K_WEIGHTING = [
  biquad([1.53512485958697, -2.69169618940638, 1.19839281085285], [-1.69065929318241, 0.73248077421585]),
  biquad([1, -2, 1], [-1.99004745483398, 0.99007225036621]),
].join(',')

/**
 * Adjusts live sound to a loudness: a gain that follows the loudness of the last seconds without pauses, and a
 * limiter for peaks. Starts at `[received]`; the last filter of the graph has no label yet.
 *
 * Not loudnorm: in one pass it uses the mean since its start, so that after ten minutes a programme that is 6
 * dB softer stays 6 LU below the target for hours. And it computes at 192 kHz, which takes 5 % of a core
 * instead of 0.6 %.
 */
export function levelGraph(targetLufs: number): string {
  const power = 'asplit=2[weighted][again];[weighted][again]amultiply,pan=mono|c0=c0+c1'
  const gain = `aresample=${RATE},aeval=exprs='${gainExpression(targetLufs)}':channel_layout=mono`
  return [
    '[received]asplit=2[sound][measured]',
    `[measured]${K_WEIGHTING},${power},${gain},aresample=${AUDIO_RATE},pan=stereo|c0=c0|c1=c0[gain]`,
    `[sound][gain]amultiply,${limiter}`,
  ].join(';')
}

function biquad(
  [b0, b1, b2]: readonly [number, number, number],
  [a1, a2]: readonly [number, number],
): string {
  return `biquad=b0=${b0}:b1=${b1}:b2=${b2}:a0=1:a1=${a1}:a2=${a2}`
}

/** The power of this loudness, of both channels together. */
const powerOf = (lufs: number): number => 10 ** ((lufs + 0.691) / 10)

/** Variables that ffmpeg keeps from one evaluation to the next. */
const [BLOCK, MEASURED, MEASURED_COUNT, PROGRAMME, PROGRAMME_COUNT] = [0, 1, 2, 3, 4] as const

/**
 * The gain for one power value, as an ffmpeg expression: `st` stores and `ld` loads a number, `n` counts
 * evaluations. Each average is plain at first, and exponential after its averaging time.
 */
function gainExpression(targetLufs: number): string {
  const follow = (at: number, value: string, rate: string) =>
    `st(${at},ld(${at})+${rate}*(${value}-ld(${at})))`
  const count = (at: number) => `st(${at},ld(${at})+1)`
  const average = (at: number, counter: number, rate: string) =>
    `${count(counter)};${follow(at, `ld(${BLOCK})`, `max(1/ld(${counter}),${rate})`)}`
  const isAbove = (value: string) => `gt(ld(${BLOCK}),${value})`

  const rate = 1 / (PROGRAMME_SECONDS * RATE)
  const programmeRate = `${rate}*if(${isAbove(`ld(${PROGRAMME})`)},${LOUDER_RATE},1)`
  const pause = `ld(${MEASURED})*${10 ** (-PAUSE_BELOW_LU / 10)}`
  const silence = powerOf(SILENCE_LUFS)
  const programme = `if(${isAbove(pause)},${average(PROGRAMME, PROGRAMME_COUNT, programmeRate)})`
  const ceiling = `ld(${BLOCK})/${10 ** (BLOCK_ABOVE_LU / 10)}`
  const loudest = `max(max(ld(${PROGRAMME}),${ceiling}),${silence})`
  return [
    // The resampling filter overshoots slightly, below zero too.
    follow(BLOCK, 'max(val(0),0)', `max(1/(n+1),${1 / (BLOCK_SECONDS * RATE)})`),
    `if(${isAbove(`${silence}`)},${average(MEASURED, MEASURED_COUNT, `${rate}`)};${programme})`,
    `sqrt(min(${10 ** (GAIN_MAXIMUM_DB / 10)},${powerOf(targetLufs)}/${loudest}))`,
  ].join(';')
}
