import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The output of xmllint with our copy of the DTD: empty if all texts are valid. */
export async function validateXmltv(texts: readonly string[]): Promise<{ status: unknown; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  try {
    const files = texts.map((_, at) => join(folder, `${at}.xml`))
    await Promise.all(texts.map((text, at) => writeFile(files[at]!, text)))
    return await lint(files)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function lint(files: readonly string[]): Promise<{ status: unknown; output: string }> {
  const dtd = fileURLToPath(new URL('xmltv.dtd', import.meta.url))
  return new Promise((resolve) => {
    const args = ['--nonet', '--noout', '--dtdvalid', dtd, ...files]
    execFile('xmllint', args, { timeout: 60_000, maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, output: `${stdout}${stderr}`.slice(0, 2_000) }),
    )
  })
}
