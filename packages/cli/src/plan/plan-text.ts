import { fields, table } from '../terminal/table.ts'
import { isZone, localTimes } from '../terminal/zone-time.ts'
import type { Content, Plan, Preview, Rules, Warning } from './types.ts'

/** The zone that times are printed in. */
export const zoneOf = ({ time_zone: zone }: Rules): string => (isZone(zone) ? zone : 'UTC')

export function planText(plan: Plan): string {
  const { rules, planned_until: until, planned_at: at, is_planning: isPlanning } = plan
  const zone = zoneOf(rules)
  const print = printTime(zone)
  return fields([
    ['channel', plan.linear_channel_id],
    ['time zone', rules.time_zone],
    ['changed', print(plan.last_updated)],
    ['planned until', until === null ? 'not planned yet' : print(until)],
    ['planned at', at === null ? 'not planned yet' : print(at)],
    ...(isPlanning ? [['planning', 'a change is not planned yet'] as const] : []),
    ['warnings', String(plan.warnings.length)],
  ])
}

/** The blocks by their order in the document, which decides between blocks of the same priority. */
export function rulesText({ blocks, default: rest }: Rules): string {
  const rows = (blocks ?? []).map((block) => [
    block.id,
    block.days?.join(',') ?? 'every day',
    block.times.map(({ from, to }) => `${from}-${to}`).join(' '),
    String(block.priority ?? 0),
    block.order,
    contentText(block.content),
  ])
  const restRow =
    rest == null ? [] : [['default', 'every day', 'the rest', '', rest.order, contentText(rest.content)]]
  return table(['rule', 'days', 'times', 'priority', 'order', 'content'], [...rows, ...restRow])
}

function contentText({
  series_ids: series,
  playlist_id: playlist,
  filter,
  block_id: block,
}: Content): string {
  if (series != null) return `series ${series.join(' ')}`
  if (playlist != null) return `playlist ${playlist}`
  if (block != null) return `what "${block}" aired`
  return filter == null ? '' : `filter ${JSON.stringify(filter)}`
}

/** The programs of a preview in local time, each day named once. */
export function previewText(preview: Preview, zone: string): string {
  const { programs, fill_ms: fillMs, warnings, warnings_total: total, from, to } = preview
  const print = printTime(zone)
  const local = localTimes(zone)
  let lastDay = ''
  const rows = programs.map((it) => {
    const start = local(Date.parse(it.start_time))
    const day = `${start.weekday} ${start.day}`
    const isNamed = day === lastDay
    lastDay = day
    const times = `${start.time}-${local(Date.parse(it.end_time)).time}`
    return [isNamed ? '' : day, times, it.title, it.rule, it.reason]
  })
  return [
    `${print(from)} to ${print(to)}, ${zone}`,
    programs.length === 0
      ? 'The rules plan no program in this time.'
      : table(['day', 'time', 'title', 'rule', 'reason'], rows),
    `${programs.length} programs, ${Math.round(fillMs / 60_000)} minutes of fill`,
    ...warningLines(warnings, total, zone),
  ].join('\n')
}

export function warningLines(warnings: readonly Warning[], total: number, zone: string): readonly string[] {
  if (total === 0) return []
  const print = printTime(zone)
  const rows = warnings.map(({ at, rule, message }) => [print(at), rule, message])
  const left = total - warnings.length
  return [
    `${total} ${total === 1 ? 'warning' : 'warnings'}`,
    table(['time', 'rule', 'warning'], rows),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ]
}

function printTime(zone: string): (time: string) => string {
  const local = localTimes(zone)
  return (text) => {
    const { day, weekday, time } = local(Date.parse(text))
    return `${weekday} ${day} ${time}`
  }
}
