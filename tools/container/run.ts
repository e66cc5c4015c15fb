import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, type Measured, printTable, round } from '@continuity/dev/figures'
import { pollUntil } from '@continuity/dev/waiting'
import { buildBase, buildImage, IMAGE } from './build-image.ts'
import { podmanIn } from './podman.ts'
import { processes, type Site, startSite } from './site.ts'

const USER = /^10001(?:\t10001){3}$/
const ROOT_FOLDERS = ['/', '/etc', '/usr', '/opt/continuity', '/var']
const VOLUMES = ['/tmp', '/var/lib/continuity', '/srv/media/store']
const DECODED_SECONDS = 5

const { verdicts, pass } = judge(await measure())
console.log(printTable(verdicts))
process.exitCode = pass ? 0 : 1

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'image-'))
  await chmod(folder, 0o755)
  const podman = podmanIn(join(folder, 'podman'))
  await using opened = new AsyncDisposableStack()

  log("making the base image of Debian's packages and Node")
  await buildBase(podman, join(folder, 'base'))
  log('building the image')
  const buildStartMs = performance.now()
  await buildImage(podman, folder)
  const build_s = round((performance.now() - buildStartMs) / 1_000, 0)
  const bytes = Number(await podman.run(['image', 'inspect', '--format', '{{.Size}}', IMAGE]))

  log('starting PostgreSQL and NATS, then the processes of the image')
  const site = await startSite({ podman, folder: join(folder, 'site') }, opened)
  await site.continuity(['keys', 'create'])
  await site.continuity(['feed-keys', 'create'])
  await site.continuity(['migrate'])
  await site.startAll()
  const statuses = await Promise.all(processes.map((name) => site.statusOf(name)))
  const count = (name: string, value: RegExp) =>
    statuses.filter((status) => value.test(status.get(name) ?? '')).length

  log('putting a channel on air')
  const channel = await putOnAir(site)
  const writes = await tryToWrite(site)
  const versions = await readVersions(site)
  log('stopping the processes')
  const codes = await Promise.all(processes.map((name) => site.stop(name)))
  return {
    figures: {
      build_s,
      image_mb: round(bytes / 1e6, 0),
      ...versions,
      processes_of_user_10001: Math.min(count('Uid', USER), count('Gid', USER)),
      processes_without_capabilities: count('CapBnd', /^0+$/),
      processes_without_new_privileges: count('NoNewPrivs', /^1$/),
      ...writes,
      ...channel,
      exits_with_0_after_sigterm: codes.filter((code) => code === 0).length,
    },
    targets: {
      processes_of_user_10001: { is: processes.length },
      processes_without_capabilities: { is: processes.length },
      processes_without_new_privileges: { is: processes.length },
      writes_to_root_rejected: { is: ROOT_FOLDERS.length },
      writes_to_volumes: { is: VOLUMES.length },
      segment_bytes: { atLeast: 1_000 },
      seconds_decoded: { is: DECODED_SECONDS },
      exits_with_0_after_sigterm: { is: processes.length },
    },
  }
}

/** A channel that the tool of the image creates, until a node serves its media. */
async function putOnAir(site: Site) {
  await site.continuity(['accounts', 'create', 'north'])
  const email = 'you@north.example'
  const user = ['--account', 'north', '--email', email, '--roles', 'ROLE_ADMIN,SCHEDULE,ROLE_OPERATOR']
  const { password } = JSON.parse(await site.continuity(['users', 'create', ...user, '--json'])) as {
    readonly password: string
  }
  const login = {
    CONTINUITY_URL: site.urls.api,
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: email,
    CONTINUITY_PASSWORD: password,
  }
  const created = await site.continuity(['channels', 'create', '--title', 'North', '--json'], login)
  const { linear_channel_id: id } = JSON.parse(created) as { readonly linear_channel_id: string }
  await site.continuity(['channels', 'start', id], login)

  const address = `${site.urls.playout}/channels/${id}/direct/index.m3u8`
  const playlist = await pollUntil(() => fetchOk(address), 300_000)
  if (playlist === undefined) throw new Error(`${address} is not served`)
  const rendition = new URL(findUri(await playlist.text()), address)
  const segment = new URL(findUri(await (await fetch(rendition)).text()), rendition)
  const media = await fetchOk(segment.href)
  const decoded = await site.runOnce(
    ['ffmpeg', '-v', 'error', '-xerror', '-t', `${DECODED_SECONDS}`, '-i', address, '-f', 'null', '-'],
    {},
  )
  return {
    segment_bytes: (await media?.arrayBuffer())?.byteLength ?? 0,
    seconds_decoded: decoded.code === 0 ? DECODED_SECONDS : 0,
  }
}

function findUri(playlist: string): string {
  return /^[^#\s].*$/m.exec(playlist)?.[0] ?? ''
}

async function fetchOk(url: string): Promise<Response | undefined> {
  const response = await fetch(url)
  return response.status === 200 ? response : undefined
}

async function tryToWrite(site: Site) {
  const script = 'for folder; do touch "$folder/written" && echo "$folder"; done'
  const folders = [...ROOT_FOLDERS, ...VOLUMES]
  const { stdout, stderr } = await site.runOnce(['sh', '-c', script, 'sh', ...folders], {})
  return {
    writes_to_root_rejected: stderr.match(/Read-only file system/g)?.length ?? 0,
    writes_to_volumes: stdout.split('\n').filter((line) => VOLUMES.includes(line)).length,
  }
}

async function readVersions(site: Site) {
  const printed = await site.continuity(['--version', '--json'])
  const { version, node } = JSON.parse(printed) as { readonly version: string; readonly node: string }
  const { stdout } = await site.runOnce(['ffmpeg', '-version'], {})
  return { continuity: version, node, ffmpeg: /version (\S+)/.exec(stdout)?.[1] ?? 'missing' }
}

function log(line: string): void {
  console.error(line)
}
