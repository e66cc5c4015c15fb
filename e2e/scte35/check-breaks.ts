import type { ISCTE35, ISpliceInsertEvent } from 'scte35/build/lib/scte35.js'

export interface BreakChecker {
  /** Looks at every ad break of a playlist that it has not seen before. */
  see(text: string): void
  /** Sections that the other decoder has read. */
  sections(): number
  readonly faults: readonly string[]
}

const TICKS_PER_SECOND = 90_000

/** Reads the SCTE-35 of date ranges with a decoder of others, and compares it with what their attributes say. */
export function createBreakChecker(decoder: ISCTE35): BreakChecker {
  const seen = new Set<string>()
  const events = new Map<string, number>() // event id by ID
  const starts = new Map<string, string>()
  const faults: string[] = []
  let sections = 0
  const insertOf = (hex: string): ISpliceInsertEvent | undefined => {
    sections += 1
    const { spliceCommand } = decoder.parseFromHex(hex.replace(/^0x/, ''))
    const isInsert = spliceCommand !== undefined && 'outOfNetworkIndicator' in spliceCommand
    return isInsert ? spliceCommand : undefined
  }
  const check = (line: string) => {
    const attributes = new Map(
      [...line.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)].map(([, name, value]) => [name!, value!] as const),
    )
    const id = attributes.get('ID') ?? ''
    const start = attributes.get('START-DATE') ?? ''
    if (starts.has(id) && starts.get(id) !== start) faults.push(`${id} is used again: ${line}`)
    starts.set(id, start)
    const [out, back] = [attributes.get('SCTE35-OUT'), attributes.get('SCTE35-IN')]
    if (out !== undefined) {
      const insert = insertOf(out)
      const planned = Math.round(Number(attributes.get('PLANNED-DURATION')) * TICKS_PER_SECOND)
      const told = insert?.breakDuration?.duration ?? Number.NaN
      const isRight = insert?.outOfNetworkIndicator === true && insert.breakDuration?.autoReturn === true
      // Seconds are printed with three decimals.
      if (!isRight || !(Math.abs(told - planned) <= TICKS_PER_SECOND / 1_000))
        faults.push(`begins wrongly: ${line}`)
      const owner = [...events].find(([, event]) => event === insert?.spliceEventId)?.[0]
      if (owner !== undefined && owner !== id) faults.push(`has the event of ${owner}: ${line}`)
      if (insert !== undefined) events.set(id, insert.spliceEventId)
    }
    if (back !== undefined) {
      const insert = insertOf(back)
      const isSame = !events.has(id) || insert?.spliceEventId === events.get(id)
      if (insert?.outOfNetworkIndicator !== false || !isSame) faults.push(`ends wrongly: ${line}`)
      if (!(Number(attributes.get('DURATION')) > 0)) faults.push(`ends without a length: ${line}`)
    }
  }
  return {
    faults,
    sections: () => sections,
    see(text) {
      for (const [line] of text.matchAll(/^#EXT-X-DATERANGE:.*SCTE35-.*$/gm)) {
        if (seen.has(line)) continue
        seen.add(line)
        check(line)
      }
    },
  }
}
