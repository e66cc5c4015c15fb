export interface Variant {
  readonly uri: string
  readonly bandwidth: number
  readonly averageBandwidth: number
  readonly codecs: string
  readonly frameRate: number
}

export interface ListedSegment {
  readonly uri: string
  readonly seconds: number
}

export function readVariants(text: string): Variant[] {
  return [...text.matchAll(/^#EXT-X-STREAM-INF:(.*)\n(.+)$/gm)].map(([, attributes = '', uri = '']) => {
    const attribute = (name: string) =>
      new RegExp(`(?:^|,)${name}="?([^",]+(?:,[^"=]+)?)"?(?=,|$)`).exec(attributes)?.[1]
    return {
      uri,
      bandwidth: Number(attribute('BANDWIDTH')),
      averageBandwidth: Number(attribute('AVERAGE-BANDWIDTH')),
      codecs: /CODECS="([^"]*)"/.exec(attributes)?.[1] ?? '',
      frameRate: Number(attribute('FRAME-RATE')),
    }
  })
}

export const readListed = (text: string): ListedSegment[] =>
  [...text.matchAll(/^#EXTINF:([\d.]+),\n(.+)$/gm)].map(([, seconds, uri = '']) => ({
    uri,
    seconds: Number(seconds),
  }))

/** Faults of the playlist text itself. */
export function checkText(text: string, listed: readonly ListedSegment[]): string[] {
  const target = Number(/^#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1])
  const needed = ['#EXTM3U', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-ENDLIST']
  return [
    ...needed.filter((line) => !text.split('\n').includes(line)).map((line) => `${line} is missing`),
    ...(listed.length === 0 ? ['no segment is listed'] : []),
    ...listed
      .filter(({ seconds }) => !(Math.round(seconds) <= target))
      .map(({ uri }) => `${uri} is longer than the target duration`),
  ]
}
