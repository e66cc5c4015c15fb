import { execFile } from 'node:child_process'
import { access, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'
import type { Podman } from './podman.ts'

const run = promisify(execFile)
const CONTAINERFILE = join(projectRoot, 'deploy/container/Containerfile')
const BASE = 'localhost/continuity-base'
export const IMAGE = 'localhost/continuity'

/** The certificate authorities of Debian, which a company's proxy may have been added to. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** As the published image of Node, but without a registry: Debian's packages, the project's Node, and npm. */
export async function buildBase(podman: Podman, folder: string): Promise<void> {
  const npm = dirname(dirname(process.env['npm_execpath'] ?? ''))
  await mkdir(folder)
  await run('mmdebstrap', ['--variant=minbase', '--mode=root', 'bookworm', join(folder, 'rootfs.tar')])
  await cp(process.execPath, join(folder, 'node'))
  await cp(npm, join(folder, 'npm'), { recursive: true, dereference: true })
  await writeFile(
    join(folder, 'Containerfile'),
    `FROM scratch
ADD rootfs.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
`,
  )
  await podman.run(['build', ...ISOLATION, '--tag', BASE, folder])
}

/** Commands of a build run in a chroot, which works inside of a container too. Nothing is built twice, so no layers are kept. */
const ISOLATION = ['--isolation', 'chroot', '--network', 'host', '--layers=false'] as const

/** Builds the image by the Containerfile as it is. */
export async function buildImage(podman: Podman, folder: string): Promise<void> {
  const settings = join(folder, 'npm')
  await mkdir(settings)
  const hasCertificates = await access(CERTIFICATES).then(
    () => true,
    () => false,
  )
  if (hasCertificates) await cp(CERTIFICATES, join(settings, 'certificates.pem'))
  const registry = process.env['npm_config_registry']
  const lines = [
    ...(hasCertificates ? ['cafile=/usr/local/etc/certificates.pem'] : []),
    ...(registry === undefined ? [] : [`registry=${registry}`]),
  ]
  await writeFile(join(settings, 'npmrc'), `${lines.join('\n')}\n`)
  // Mounted for the build, so that it is in no layer: npm reads its settings there.
  const mount = ['--volume', `${settings}:/usr/local/etc:ro`]
  const base = ['--build-arg', `NODE_IMAGE=${BASE}`]
  await podman.run([
    'build',
    ...ISOLATION,
    ...mount,
    ...base,
    '--file',
    CONTAINERFILE,
    '--tag',
    IMAGE,
    projectRoot,
  ])
}
