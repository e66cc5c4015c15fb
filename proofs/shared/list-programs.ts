import { execFileSync } from 'node:child_process'

/** Command lines of the ffmpeg processes that work in a folder. */
export const listPrograms = (folder: string): readonly string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /ffmpeg|ffprobe/.test(line) && line.includes(folder))
