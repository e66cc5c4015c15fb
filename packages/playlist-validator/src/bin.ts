#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { rules, type Violation } from './rules.ts'
import { type WatchSummary, watchPlaylists } from './watch.ts'

const HELP = `playlist-validator URL [--for 60s] [--json] [--profile house]

Reads an HLS presentation as players do, again and again, and prints what breaks the specification.

  URL              a multivariant or a media playlist, http or https
  --for TIME       how long: 30s, 10m, 24h; without it 60s. Ends earlier when all playlists have ended
  --json           one JSON object per line: each violation, and at last the summary
  --profile house  also the rules of Continuity's own channels
  --rules          prints the table of all rules

Exit code: 0 without violations, 1 with, 2 if nothing could be checked.
`

interface Arguments {
  readonly url: string
  readonly forMs: number
  readonly isJson: boolean
  readonly isHouse: boolean
}

/** Lines of one rule in one playlist; further ones are only counted. */
const MOST_LINES = 20

async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args)
  if (typeof read === 'string') {
    process.stderr.write(`${read}\n\n${HELP}`)
    return 2
  }
  if ('output' in read) {
    process.stdout.write(read.output)
    return 0
  }
  const counts = new Map<string, number>()
  const byRule = new Map<Violation['rule'], number>()
  const stop = new AbortController()
  // The second one ends the process.
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const summary = await watchPlaylists({
    url: read.url,
    forMs: read.forMs,
    profile: read.isHouse ? 'house' : 'specification',
    signal: stop.signal,
    onViolation(violation) {
      const key = `${violation.rendition} ${violation.rule}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      byRule.set(violation.rule, (byRule.get(violation.rule) ?? 0) + 1)
      if (read.isJson) print(jsonOf(violation))
      else if (count <= MOST_LINES) print(lineOf(violation))
      else if (count === MOST_LINES + 1) print(`${key}: further ones are only counted`)
    },
  })
  if (read.isJson)
    print(JSON.stringify({ type: 'summary', url: read.url, ...summary, rules: Object.fromEntries(byRule) }))
  else printSummary(read.url, summary, byRule)
  if (summary.failure !== undefined) return 2
  return summary.violations === 0 ? 0 : 1
}

/** A string is what is wrong with them. */
function readArguments(args: readonly string[]): Arguments | { readonly output: string } | string {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        for: { type: 'string', default: '60s' },
        json: { type: 'boolean', default: false },
        profile: { type: 'string' },
        rules: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help === true) return { output: HELP }
    if (values.rules === true) return { output: printRules() }
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0) return 'one URL is needed'
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return `${url} is not an http or https address`
    const forMs = readTimeMs(values.for)
    if (forMs === undefined) return `--for is a time such as 60s, 10m or 24h, not ${values.for}`
    if (values.profile !== undefined && values.profile !== 'house') return '--profile is house, or absent'
    return { url, forMs, isJson: values.json, isHouse: values.profile === 'house' }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** Timers of Node end at 24 days. */
const LONGEST_MS = 24 * 24 * 3_600_000

function readTimeMs(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([smh])$/.exec(text) ?? []
  const ms = Number(number) * (UNITS_MS[unit] ?? Number.NaN)
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const dateOf = (ms: number): string => new Date(ms).toISOString()

/** Texts come from anywhere: no sign of theirs may move the cursor. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

function lineOf({ rule, atMs, rendition, detail }: Violation): string {
  const { clause } = rules[rule]
  return plain(`${dateOf(atMs)}  ${rendition || 'multivariant'}  ${rule}  ${clause}  ${detail}`)
}

function jsonOf({ rule, atMs, rendition, detail }: Violation): string {
  const { level, clause, about } = rules[rule]
  const playlist = rendition === '' ? null : rendition
  return JSON.stringify({ type: 'violation', at: dateOf(atMs), playlist, rule, level, clause, about, detail })
}

function printSummary(
  url: string,
  summary: WatchSummary,
  byRule: ReadonlyMap<Violation['rule'], number>,
): void {
  const { checked, listed, loads, changes, segments, hasEnded, lastedMs, violations, failure } = summary
  if (failure !== undefined) {
    print(plain(`${url} could not be checked: ${failure}`))
    return
  }
  const of = checked === listed ? '' : ` of ${listed}`
  const ended = hasEnded ? ', until EXT-X-ENDLIST' : ''
  print(
    `${countOf(checked, 'media playlist')}${of} in ${(lastedMs / 1_000).toFixed(0)} s: ${loads} loads, ${changes} texts, ${segments} segments${ended}`,
  )
  print(violations === 0 ? 'no violation' : countOf(violations, 'violation'))
  for (const [rule, count] of [...byRule].toSorted(([, one], [, other]) => other - one)) {
    print(
      `${String(count).padStart(6)}  ${rule}  ${rules[rule].level}  ${rules[rule].clause}  ${rules[rule].about}`,
    )
  }
}

/** As a table of Markdown, for the README. */
function printRules(): string {
  const rows = Object.entries(rules).map(
    ([rule, { level, clause, about }]) => `| \`${rule}\` | ${level} | ${clause} | ${about} |\n`,
  )
  return `| rule | level | clause | |\n|---|---|---|---|\n${rows.join('')}`
}

process.exitCode = await run(process.argv.slice(2))
