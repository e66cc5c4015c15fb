/** 0:12:34.500 */
export function printVideoTime(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const clock = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${clock}.${String(ms % 1_000).padStart(3, '0')}`
}

const TIME = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/

/** 0:12:34.500, 12:34.5 or 754.5; undefined for anything else. */
export function readVideoTime(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, part = '0'] = TIME.exec(text.trim()) ?? []
  if (seconds === undefined || (minutes !== undefined && Number(seconds) >= 60) || Number(minutes ?? 0) >= 60)
    return undefined
  return (
    (Number(hours) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000 +
    Number(part.padEnd(3, '0'))
  )
}
