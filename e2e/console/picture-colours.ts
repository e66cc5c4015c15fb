import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { Locator } from 'playwright-core'

/** An element of the page as it is on the screen, in few pixels: 32 x 18 of three bytes each. */
export async function readColours(element: Locator): Promise<Buffer> {
  const picture = await element.screenshot({ animations: 'disabled' })
  const frame = ['-vf', 'scale=32:18:flags=area', '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1']
  const decoder = execFile('ffmpeg', ['-v', 'error', '-f', 'png_pipe', '-i', 'pipe:0', ...frame], {
    encoding: 'buffer',
  })
  const chunks: Buffer[] = []
  decoder.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk))
  decoder.stdin!.end(picture)
  await once(decoder, 'close')
  return Buffer.concat(chunks)
}

/** Mean difference, of 255. */
export function differenceOf(one: Buffer, other: Buffer): number {
  if (one.length === 0 || one.length !== other.length) throw new Error('there is no picture to compare')
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
}
