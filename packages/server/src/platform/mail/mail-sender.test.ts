import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aCertificate } from '../outbound/testing/a-certificate.ts'
import { type Mail, openMailSender, type SenderOptions } from './mail-sender.ts'
import { findMailFaults } from './mail-settings.ts'
import { anSmtpServer, headerOf } from './testing/an-smtp-server.ts'

const mail: Mail = {
  id: 'mail-1',
  threadIds: ['a', 'b'],
  to: 'desk@north.example',
  subject: 'Nachtschicht: kein Signal auf „Nord“',
  text: 'Zeile 1\n\n.\nEnde\n',
  atMs: Date.parse('2026-03-01T18:00:00.000Z'),
}
const never = new AbortController().signal

const send = async (settings: SenderOptions, over: Partial<Mail> = {}, stopping = never) =>
  (await openMailSender(settings))!.send({ ...mail, ...over }, stopping)

test('a mail is plain text to one address, byte-identical each time', async () => {
  await using smtp = await anSmtpServer()

  const first = await send(smtp.settings)
  await send(smtp.settings)

  assert.equal(first?.kind, 'accepted')
  const [one, two] = smtp.mails
  assert.equal(one!.raw, two!.raw)
  assert.equal(one!.to, mail.to)
  assert.equal(one!.messageId, '<mail-1@platform.example>')
  assert.equal(headerOf(one!.raw, 'References'), '<alert.a@platform.example> <alert.b@platform.example>')
  assert.equal(headerOf(one!.raw, 'In-Reply-To'), '<alert.a@platform.example>')
  assert.equal(headerOf(one!.raw, 'Date'), 'Sun, 01 Mar 2026 18:00:00 +0000')
  assert.match(headerOf(one!.raw, 'Content-Type'), /^text\/plain; charset=utf-8/)
})

test('text cannot inject headers, and an invalid address is not sent to', async () => {
  await using smtp = await anSmtpServer()

  await send(smtp.settings, {
    subject: 'A\r\nBcc: all@other.example\r\n\r\nB',
    threadIds: ['a>\r\nBcc: x@y'],
  })
  const invalid = await send(smtp.settings, { to: 'a@b>\r\nRCPT TO:<c@d' })

  assert.equal(smtp.mails.length, 1)
  assert.deepEqual(smtp.attempts, ['desk@north.example'])
  const head = smtp.mails[0]!.raw.split('\r\n\r\n')[0]!
  assert.doesNotMatch(head, /^bcc/im)
  assert.ok(invalid?.kind === 'failed' && invalid.message === 'not an address')
})

test('a 4yz response and a 5yz response to the login are retried, a 5yz response to the mail is not', async (t) => {
  await using smtp = await anSmtpServer()
  smtp.respondWith((to) => Number(to.slice(0, 3)))
  await using closed = await anSmtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('wrong')),
  })
  const smtpPasswordFile = await aPassword(t)

  const later = await send(smtp.settings, { to: '451@north.example' })
  const gone = await send(smtp.settings, { to: '550@north.example' })
  const login = await send({ ...closed.settings, smtpUser: 'platform', smtpPasswordFile })

  assert.deepEqual([later?.kind, gone?.kind, login?.kind], ['failed', 'rejected', 'failed'])
  assert.deepEqual(
    [later, gone, login].map((result) => result && 'code' in result && result.code),
    ['smtp.451', 'smtp.550', 'smtp.535'],
  )
  assert.doesNotMatch(JSON.stringify(login), /tide-table/)
})

test('a password is never sent over an unencrypted connection', async (t) => {
  let received = ''
  await using smtp = await anSmtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => {
      received += password ?? ''
      done(null, { user: 'platform' })
    },
  })
  const smtpPasswordFile = await aPassword(t)

  const result = await send({ ...smtp.settings, smtpTls: 'starttls', smtpUser: 'platform', smtpPasswordFile })

  assert.equal(result?.kind, 'failed')
  assert.equal(received, '')
  assert.equal(smtp.mails.length, 0)
})

for (const [smtpTls, secure] of [
  ['starttls', false],
  ['tls', true],
] as const) {
  test(`a mail and the login are sent over TLS to a server that is trusted: ${smtpTls}`, async (t) => {
    const { key, cert } = aCertificate('localhost')
    const received: unknown[] = []
    await using smtp = await anSmtpServer({
      key,
      cert,
      secure,
      disabledCommands: [],
      onAuth: ({ username, password }, session, done) => {
        received.push(username, password, session.secure ? 'encrypted' : 'open')
        done(null, { user: 'platform' })
      },
    })
    const login = { smtpUser: 'platform', smtpPasswordFile: await aPassword(t) }
    const settings = { ...smtp.settings, ...login, smtpHost: 'localhost', smtpTls }

    const trusted = await send({ ...settings, ca: cert })
    const unknown = await send(settings)
    const other = await send({ ...settings, ca: cert, smtpHost: '127.0.0.1' })

    assert.deepEqual([trusted?.kind, unknown?.kind, other?.kind], ['accepted', 'failed', 'failed'])
    assert.deepEqual(received, ['platform', 'tide-table-7', 'encrypted'])
    assert.equal(smtp.mails.length, 1)
  })
}

test('a self-signed certificate is rejected', async () => {
  await using smtp = await anSmtpServer({ disabledCommands: ['AUTH'] })

  const result = await send({ ...smtp.settings, smtpTls: 'starttls' })

  assert.equal(result?.kind, 'failed')
  assert.equal(smtp.mails.length, 0)
})

test('an attempt ends in time when the server is down, hangs up, is silent or does not read', async (t) => {
  const silent = await aSocketServer(t, () => {})
  const hangingUp = await aSocketServer(t, (socket) => void socket.end('421 no\r\n'))
  const dripping = await aSocketServer(t, (socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  await using smtp = await anSmtpServer()
  smtp.respondWith(() => 'never')

  const codes: unknown[] = []
  for (const smtpPort of [1, silent, hangingUp, dripping, smtp.settings.smtpPort]) {
    // The server that hangs up is read in time on a busy machine too.
    const attemptMs = smtpPort === hangingUp ? 20_000 : 500
    const result = await send({ ...smtp.settings, attemptMs, smtpPort })
    assert.equal(result?.kind, 'failed')
    codes.push('code' in result && result.code)
    assert.doesNotMatch(result.response, /127\.0\.0\.1/)
  }

  assert.deepEqual(codes.slice(1), ['smtp.etimedout', 'smtp.421', 'smtp.etimedout', 'smtp.etimedout'])
})

test('a stopped attempt has no result', async () => {
  await using smtp = await anSmtpServer()
  smtp.respondWith(() => 'never')

  assert.equal(await send(smtp.settings, {}, AbortSignal.timeout(200)), undefined)
})

test('contradictory settings are reported', () => {
  const none = {
    smtpHost: 'mail.example',
    smtpPort: 587,
    smtpTls: 'starttls',
    smtpUser: '',
    smtpPasswordFile: '',
    mailFrom: 'alerts@platform.example',
  } as const

  assert.deepEqual(findMailFaults(none), [])
  assert.deepEqual(findMailFaults({ ...none, smtpHost: '', mailFrom: '' }), [])
  assert.match(findMailFaults({ ...none, mailFrom: 'A <a@b>' }).join(), /^MAIL_FROM/)
  assert.match(findMailFaults({ ...none, smtpUser: 'platform' }).join(), /^SMTP_PASSWORD_FILE is needed/)
  const open = { ...none, smtpUser: 'platform', smtpPasswordFile: 'x', smtpTls: 'none' } as const
  assert.match(findMailFaults(open).join(), /^SMTP_TLS must not be none/)
})

async function aPassword(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-mail-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'password')
  await writeFile(path, 'tide-table-7\n')
  return path
}

async function aSocketServer(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
