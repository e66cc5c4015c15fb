import type { DecodedInsert, OtherDecoder } from './scte35-decoder.ts'

export interface BreakChecker {
  /** Checks every ad break of a playlist that it has not seen before. */
  check(text: string): void
  /** Sections parsed by the other decoder. */
  sections(): number
  readonly faults: readonly string[]
}

const TICKS_PER_SECOND = 90_000

/** Parses the SCTE 35 sections of date ranges with a third-party decoder, and compares them with the attributes. */
export function createBreakChecker(decoder: OtherDecoder): BreakChecker {
  const seen = new Set<string>()
  const events = new Map<string, number>() // event id by ID
  const starts = new Map<string, string>()
  const faults: string[] = []
  let sections = 0
  const insertOf = (hex: string): DecodedInsert | undefined => {
    sections += 1
    const { spliceCommand } = decoder.parseFromHex(hex.replace(/^0x/, ''))
    const isInsert = spliceCommand !== undefined && 'outOfNetworkIndicator' in spliceCommand
    return isInsert ? (spliceCommand as DecodedInsert) : undefined
  }
  const check = (line: string) => {
    const attributes = new Map(
      [...line.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)].map(([, name, value]) => [name!, value!] as const),
    )
    const id = attributes.get('ID') ?? ''
    const start = attributes.get('START-DATE') ?? ''
    if (starts.has(id) && starts.get(id) !== start) faults.push(`${id} is reused: ${line}`)
    starts.set(id, start)
    const [out, back] = [attributes.get('SCTE35-OUT'), attributes.get('SCTE35-IN')]
    if (out !== undefined) {
      const insert = insertOf(out)
      const planned = Math.round(Number(attributes.get('PLANNED-DURATION')) * TICKS_PER_SECOND)
      const duration = insert?.breakDuration?.duration ?? Number.NaN
      const isRight = insert?.outOfNetworkIndicator === true && insert.breakDuration?.autoReturn === true
      // Seconds are printed with three decimals.
      if (!isRight || !(Math.abs(duration - planned) <= TICKS_PER_SECOND / 1_000))
        faults.push(`wrong start: ${line}`)
      const owner = [...events].find(([, event]) => event === insert?.spliceEventId)?.[0]
      if (owner !== undefined && owner !== id) faults.push(`reuses the event of ${owner}: ${line}`)
      if (insert !== undefined) events.set(id, insert.spliceEventId)
    }
    if (back !== undefined) {
      const insert = insertOf(back)
      const isSame = !events.has(id) || insert?.spliceEventId === events.get(id)
      if (insert?.outOfNetworkIndicator !== false || !isSame) faults.push(`wrong end: ${line}`)
      if (!(Number(attributes.get('DURATION')) > 0)) faults.push(`end without a duration: ${line}`)
    }
  }
  return {
    faults,
    sections: () => sections,
    check(text) {
      for (const [line] of text.matchAll(/^#EXT-X-DATERANGE:.*SCTE35-.*$/gm)) {
        if (seen.has(line)) continue
        seen.add(line)
        check(line)
      }
    },
  }
}
