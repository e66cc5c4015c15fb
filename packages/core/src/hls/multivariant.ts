import type { FrameRate } from '../packaging/house-format.ts'

/** A rendition as the multivariant playlist of a channel tells it: the same for every asset that it will ever show. */
export interface Variant {
  readonly name: string
  readonly width: number
  readonly height: number
  /** Bits per second that no segment exceeds, and what they come to on average. */
  readonly bandwidth: number
  readonly averageBandwidth: number
  readonly codecs: string
}

/** The multivariant playlist of an output. `query` stands behind the address of each media playlist: `?sid=…`. */
export function printChannel(variants: readonly Variant[], frameRate: FrameRate, query: string): string {
  const lines = variants.flatMap((variant) => [
    printVariant(variant, frameRate),
    `${variant.name}.m3u8${query}`,
  ])
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`
}

function printVariant(
  { width, height, bandwidth, averageBandwidth, codecs }: Variant,
  frameRate: FrameRate,
): string {
  const attributes = [
    `BANDWIDTH=${bandwidth}`,
    `AVERAGE-BANDWIDTH=${averageBandwidth}`,
    `CODECS="${codecs}"`,
    `RESOLUTION=${width}x${height}`,
    `FRAME-RATE=${frameRate}.000`,
  ]
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`
}
