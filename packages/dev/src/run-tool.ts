import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs ffmpeg or ffprobe. Rejects with its output if it fails. */
export const runTool = (program: 'ffmpeg' | 'ffprobe', args: readonly string[]) =>
  execute(program, ['-hide_banner', ...args], {
    timeout: 120_000,
    maxBuffer: 64_000_000,
    encoding: 'buffer',
  })
