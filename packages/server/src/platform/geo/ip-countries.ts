import { createReadStream } from 'node:fs'
import { isMapped, readAddress } from './ip-address.ts'
import { countryName, readCountryCode } from './ip-countries-code.ts'
import { createRanges, type Ranges, type RangesBuilder } from './ip-countries-ranges.ts'

export interface IpCountries {
  /** The country of an address in two capital letters, if the file has one. */
  countryOf(address: string): string | undefined
  /** After adjacent ranges of one country were merged; gaps count as ranges. */
  readonly ranges: number
  readonly bytes: number
}

export type IpCountriesResult =
  | { readonly kind: 'read'; readonly ipCountries: IpCountries }
  | { readonly kind: 'rejected'; readonly fault: string }

/**
 * Reads a file of lines `start,end,country`, quoted or not, the format of the free country files: IPv4 and IPv6 in any
 * mixture, each in ascending order.
 *
 * The lines must be sorted and are not sorted here: overlapping ranges would give an address two countries, and the
 * faulty line is known only while the file is read.
 */
export async function readIpCountries(path: string): Promise<IpCountriesResult> {
  const families = { 1: createRanges(1), 4: createRanges(4) }
  const readLine = createLineReader(families)
  try {
    for await (const [number, line] of readShortLines(createReadStream(path, 'latin1'))) {
      const fault = readLine(line, number)
      if (fault !== undefined) return { kind: 'rejected', fault: `${path} line ${number}: ${fault}` }
    }
  } catch (error) {
    return { kind: 'rejected', fault: `${path} cannot be read: ${(error as Error).message}` }
  }
  const v4 = families[1].finish()
  const v6 = families[4].finish()
  if (v4.isEmpty && v6.isEmpty) return { kind: 'rejected', fault: `${path} contains no country` }
  return { kind: 'read', ipCountries: createLookup(v4, v6) }
}

function createLookup(v4: Ranges, v6: Ranges): IpCountries {
  const words = new Uint32Array(4)
  return {
    countryOf(address) {
      const count = readAddress(address, words)
      if (count === 0) return undefined
      if (count === 1) return countryName(v4.find(words))
      return countryName(isMapped(words) ? v4.find(words.subarray(3)) : v6.find(words))
    },
    ranges: v4.count + v6.count,
    bytes: v4.bytes + v6.bytes,
  }
}

/** Reads a line; returns its fault, if any. */
function createLineReader(families: Readonly<Record<1 | 4, RangesBuilder>>) {
  const start = new Uint32Array(4)
  const end = new Uint32Array(4)
  return (line: string, number: number): string | undefined => {
    if (line === '' || (number === 1 && HEADING.test(line))) return undefined
    const [first = '', last = '', country = '', ...more] = line.split(',', 4).map(unquote)
    if (more.length > 0 || country === '') return 'is not of the form start,end,country'
    const family = readAddress(first, start)
    if (family === 0 || family !== readAddress(last, end))
      return 'does not begin with two addresses of one family'
    const code = readCountryCode(country)
    if (code === undefined) return 'does not end with a country of two letters'
    return families[family].add(start, end, code)
  }
}

/** Some providers name the columns: `start_ip` and `ip_start` both occur. */
const HEADING = /^"?[a-z_]*ip/i

const unquote = (field: string) =>
  field.length > 1 && field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : field

/** Two addresses and a country have some 90 characters. A file without line breaks is not read into memory. */
const LINE_MAXIMUM = 1_000

/**
 * The lines of a text with their numbers, from 1. Chunks are read as they come: such a file has tens of megabytes, and
 * other requests run in between.
 */
async function* readShortLines(chunks: AsyncIterable<string>): AsyncGenerator<[number, string]> {
  let number = 0
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      yield [number, trimEnd(line)]
    }
    if (rest.length > LINE_MAXIMUM) throw new Error(`line ${number + 1} is too long`)
  }
  if (rest !== '') yield [number + 1, trimEnd(rest)]
}

const trimEnd = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
