import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startChild, waitUntilReady } from '@continuity/dev/child-process'
import { findFreePort } from '@continuity/dev/ports'
import { answersInfo, getNatsServer, STOPPING } from '@continuity/dev/private-nats'
import { projectRoot } from '@continuity/dev/project-root'
import { connect } from '@nats-io/transport-node'
import { aChannel, aFollower, aPublisher, aSnapshot, until } from './testing/a-feed-system.ts'

const USERS = ['owner', 'api', 'worker', 'playout_1', 'playout_2', 'receiver_1'] as const

test('three servers with the configuration of deploy/ carry the feed from a worker to a node', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'continuity-deploy-'))
  await mkdir(join(home, 'logs'))
  const command = await getNatsServer(process.env['PATH'] ?? '')
  const ports = await Promise.all(Array.from({ length: 6 }, findFreePort))
  const [clientPorts, routePorts] = [ports.slice(0, 3), ports.slice(3)]
  const routes = routePorts.map((port) => `nats-route://route:secret@127.0.0.1:${port}`)
  const passwords = USERS.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, `of-${name}`])
  const children = await Promise.all(
    clientPorts.map((port, at) =>
      startChild({
        ...STOPPING,
        name: `nats-${at}`,
        command,
        args: ['-c', join(projectRoot, 'deploy/nats/continuity.conf')],
        env: {
          NATS_NAME: `nats-${at}`,
          NATS_LISTEN: `127.0.0.1:${port}`,
          NATS_STORE: join(home, `store-${at}`),
          NATS_CLUSTER_LISTEN: `127.0.0.1:${routePorts[at]}`,
          NATS_CLUSTER_USER: 'route',
          NATS_CLUSTER_PASSWORD: 'secret',
          ...Object.fromEntries(routes.map((route, index) => [`NATS_ROUTE_${index + 1}`, route])),
          ...Object.fromEntries(passwords),
        },
        logFile: join(home, 'logs', `nats-${at}.log`),
      }),
    ),
  )
  t.after(() => Promise.all(children.map((child) => child.stop())))
  t.after(() => rm(home, { recursive: true, force: true }))
  for (const [at, child] of children.entries())
    await waitUntilReady(child, async () => (await answersInfo(clientPorts[at]!)) || undefined, 30_000)
  const urlOf = (name: string) =>
    clientPorts.map((port) => `nats://${name}:of-${name}@127.0.0.1:${port}`).join(',')

  const worker = await aPublisher(t, urlOf('worker'), 3)
  const published = () =>
    worker.publishUpdate(aChannel('north'), aSnapshot(1)).then(
      () => true,
      () => false,
    )
  await until(published, 30_000) // servers that start together first elect a leader
  const node = await aFollower(t, urlOf('playout_2'))
  await until(() => node.updates.includes('north whole 1'))

  await assert.rejects(connect({ servers: `127.0.0.1:${clientPorts[0]}` }), /Authorization/)
})

test('a server without users carries the feed too', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'continuity-plain-'))
  await mkdir(join(home, 'logs'))
  const port = await findFreePort()
  const child = await startChild({
    ...STOPPING,
    name: 'nats',
    command: await getNatsServer(process.env['PATH'] ?? ''),
    args: ['--jetstream', '--store_dir', join(home, 'store'), '--addr', '127.0.0.1', '--port', `${port}`],
    env: {},
    logFile: join(home, 'logs', 'nats.log'),
  })
  t.after(() => child.stop())
  t.after(() => rm(home, { recursive: true, force: true }))
  await waitUntilReady(child, async () => (await answersInfo(port)) || undefined, 30_000)

  const worker = await aPublisher(t, `nats://127.0.0.1:${port}`)
  await worker.publishUpdate(aChannel('north'), aSnapshot(1))
  const node = await aFollower(t, `nats://127.0.0.1:${port}`)

  await until(() => node.updates.includes('north whole 1'))
})
