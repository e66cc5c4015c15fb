import { runTool } from '@continuity/dev/run-tool'

/** The integrated loudness in LUFS. */
export async function measureLufs(file: string): Promise<number> {
  const args = ['-nostats', '-i', file, '-af', 'ebur128=framelog=verbose', '-vn', '-f', 'null', '-']
  const { stderr } = await runTool('ffmpeg', args)
  return Number(/^\s*I:\s+(-?[\d.]+) LUFS$/m.exec(stderr.toString())?.[1])
}

/** When sound begins, in seconds. */
export async function measureFirstSound(file: string): Promise<number> {
  const args = ['-nostats', '-i', file, '-af', 'silencedetect=n=-50dB:d=0.1', '-vn', '-f', 'null', '-']
  const output = (await runTool('ffmpeg', args)).stderr.toString()
  const isSilentAtFirst = Number(/silence_start: (-?[\d.]+)/.exec(output)?.[1] ?? 1) < 0.1
  return isSilentAtFirst ? Number(/silence_end: ([\d.]+)/.exec(output)?.[1]) : 0
}

/** Width and height in pixels of a shape's bright disc on the first frame of a rendition. */
export async function measureDisc(
  file: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<{ readonly wide: number; readonly high: number }> {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-']
  const { stdout } = await runTool('ffmpeg', ['-v', 'error', '-i', file, '-frames:v', '1', ...raw])
  const isBright = (x: number, y: number) => stdout[y * width + x]! > 128
  const columns = count(width).filter((x) => count(height).some((y) => isBright(x, y)))
  const rows = count(height).filter((y) => count(width).some((x) => isBright(x, y)))
  return { wide: columns.length, high: rows.length }
}

const count = (length: number): number[] => Array.from({ length }, (_, at) => at)
