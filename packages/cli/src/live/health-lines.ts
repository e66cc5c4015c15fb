import type { Client } from '@continuity/client'
import { table } from '../terminal/table.ts'

type Health = Awaited<ReturnType<Client['getLiveSourceHealth']>>
type Input = Health['inputs'][number]

/** One character for each slot; this many fit a line of 80 columns. */
const SLOTS_IN_LINE = 75
const LEGEND = '. media   _ fill   b black   f frozen   s silent'

/** The totals of each input, and its slots, the oldest first. */
export function showHealth({ status, inputs }: Health): string {
  const head = ['input', 'slots', 'fill', 'black', 'frozen', 'silent', 'kbit/s', 'LUFS', 'least delay']
  const rows = inputs.map(({ input, totals }) => [
    `${input}`,
    ...[totals.slots, totals.fill, totals.black, totals.frozen, totals.silent].map(String),
    shown(totals.bitrate_kbps),
    shown(totals.loudness_lufs),
    totals.delay_ms === null ? '-' : `${totals.delay_ms} ms`,
  ])
  const strips = inputs.filter(({ slots }) => slots.length > 0).flatMap(strip)
  return [
    `  ${status}`,
    table(head, rows),
    ...(strips.length === 0 ? [] : ['', ...strips, `  ${LEGEND}`]),
  ].join('\n')
}

const shown = (value: number | null): string => (value === null ? '-' : `${value}`)

function strip({ input, slots }: Input): readonly string[] {
  const signs = slots.map(signOf).join('')
  const lines = signs.match(new RegExp(`.{1,${SLOTS_IN_LINE}}`, 'g')) ?? []
  return [`  input ${input} since ${slots[0]!.start_time}`, ...lines.map((line) => `  ${line}`)]
}

function signOf({ fill, black, frozen, silent }: Input['slots'][number]): string {
  if (fill) return '_'
  if (black) return 'b'
  if (frozen) return 'f'
  return silent ? 's' : '.'
}
