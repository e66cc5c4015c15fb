import type { ImageFormat } from './commands.ts'

/** The format of a picture by its first twelve bytes, whatever its name is. */
export function readImageFormat(head: Uint8Array): ImageFormat | undefined {
  const text = Array.from(head.subarray(0, 12), (byte) => String.fromCharCode(byte)).join('')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg_pipe'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png_pipe'
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'webp_pipe'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  return undefined
}
