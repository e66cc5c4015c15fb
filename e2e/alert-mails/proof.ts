import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '@continuity/dev/child-process'
import { pollUntil } from '@continuity/dev/waiting'
import { median, round } from '../../tools/figures/figures.ts'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { proof } from '../proofs/proof.ts'
import { findLastingPorts } from '../rolling-restart/lasting-ports.ts'
import { checkArrivals } from './check-arrivals.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { openStation, type Station } from './station.ts'

interface AlertMailsSize {
  /** Mails whose delay is measured, with and without recipients that hang. */
  readonly samples: number
  readonly badAccounts: number
  readonly badRecipients: number
  /** Of workers; the mail server is killed as often. */
  readonly kills: number
  /** Recipients whose mails are due when a process is killed. */
  readonly recipients: number
  readonly alerts: number
}

export const alertMails = proof<AlertMailsSize>({
  name: 'alert-mails',
  title: 'Mails about alerts: killed workers and a bad mail server',
  promise:
    'Alerts are opened, and workers mail them through a real SMTP server in a process of its own. Workers are killed (SIGKILL) ' +
    'while they send mails, and the mail server as well; it defers mails, is slow, and accepts some and ' +
    'defers them all the same. Then recipients of some accounts never get a response: the first mails to another account are as late as ' +
    'before. Every alert is mailed to every recipient, a mail that comes again has the same Message-ID and the same bytes, no ' +
    'alert is reported in two mails, and a rejected mail is tried once and opens an alert.',
  watches: [
    'packages/server/src/modules/alert-mails',
    'packages/server/src/platform/jobs/leased-work.ts',
    'packages/server/src/platform/mail',
    'packages/core/src/alerts',
    'e2e/alert-mails',
  ],
  sabotage: {
    title: 'the content of a mail is not stored with it, so that a due mail is composed again',
    changes: [
      {
        file: 'packages/server/src/modules/alert-mails/compose-mail.ts',
        from: 'if (await hasPendingAlerts(tx, key)) return',
        to: 'await hasPendingAlerts(tx, key)',
      },
      {
        file: 'packages/server/src/modules/alert-mails/compose-mail.ts',
        from: '{ next_mail_ms: nowMs + MAIL_PAUSE_MS }',
        to: '{ next_mail_ms: nowMs + MAIL_PAUSE_MS / 60 }',
      },
      {
        file: 'packages/server/src/modules/alert-mails/compose-mail.ts',
        from: "return { alertId, mailedMs: nowMs, mailedSeverity: severity, dueMs: 'dueMs' in next ? next.dueMs : null }",
        to: "return { alertId, mailedMs: null, mailedSeverity: null, dueMs: 'dueMs' in next ? nowMs : null }",
      },
    ],
    missed: ['alerts_in_two_mails'],
  },
  sizes: {
    small: { samples: 6, badAccounts: 2, badRecipients: 6, kills: 1, recipients: 4, alerts: 5 },
    full: { samples: 20, badAccounts: 14, badRecipients: 6, kills: 6, recipients: 4, alerts: 150 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const [port] = await findLastingPorts()
    const server = opened.use(await startMailServer(port))
    const settings = {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: `${port}`,
      SMTP_TLS: 'none',
      MAIL_FROM: 'alerts@platform.example',
    }
    const system = await startIngestSystem(opened, { allow: [], settings })
    let worker = await system.startWorker('worker')
    log('started')

    const faulty = await openFaultyStation(system)
    const quiet = await openStation(system, 'quiet')
    await quiet.openAlerts(1)
    const without = await measureDelays(quiet, server, 'without', size.samples)

    const busy = await openStation(system, 'busy')
    await busy.openAlerts(size.alerts)
    const killed = { workers: 0, servers: 0, underWay: 0 }
    for (const [turn, victim] of victimsOf(size.kills).entries()) {
      for (let n = 0; n < size.recipients; n += 1) await busy.addRecipient(`busy-${turn}-${n}@desk.example`)
      const isUnderWay = () => underWay(server, `busy-${turn}-`) > 0 || undefined
      killed.underWay += (await pollUntil(isUnderWay, PATIENCE_MS)) === undefined ? 0 : 1
      if (victim === 'worker') worker = await killWorker(system, worker)
      else await killServer(server)
      killed.workers += victim === 'worker' ? 1 : 0
      killed.servers += victim === 'server' ? 1 : 0
    }
    log(`${killed.workers} workers and ${killed.servers} mail servers killed`)

    const hanging = await openHanging(system, size)
    const isHanging = () => countTried(server, 'hang') >= 2 * size.badAccounts || undefined
    await pollUntil(isHanging, PATIENCE_MS)
    const withBad = await measureDelays(quiet, server, 'with', size.samples)
    log(
      `median ${round(median(without), 0)} ms without recipients that hang, ${round(median(withBad), 0)} ms with`,
    )

    const stations = [quiet, faulty.station, busy]
    const allArrived = () => checkArrivals(server.arrivals, stations).lost <= faulty.rejected || undefined
    await pollUntil(async () => {
      await sleep(250)
      return allArrived()
    }, PATIENCE_MS)
    const rejected = await faulty.readRejected()
    await sleep(SETTLE_MS)
    // Stopping it would take until it gives up those that hang.
    await kill(worker)

    const checked = checkArrivals(server.arrivals, stations)
    return {
      figures: {
        alerts_due: checked.expected,
        arrivals: server.arrivals.length,
        alerts_lost: checked.lost - faulty.rejected,
        alerts_invented: checked.invented,
        alerts_in_two_mails: checked.twice,
        repeats: checked.repeats,
        repeats_with_other_bytes: checked.otherBytes,
        workers_killed: killed.workers,
        mail_servers_killed: killed.servers,
        kills_while_mails_were_under_way: killed.underWay,
        put_off_and_sent: countTried(server, 'later') > 1 ? 1 : 0,
        rejected_tries: countTried(server, 'reject'),
        rejected_mails_failed: rejected.failed,
        rejected_alerts_open: rejected.alerts,
        recipients_that_hang: hanging,
        tries_at_them: countTried(server, 'hang'),
        mails_to_them: server.arrivals.filter(({ to }) => to.startsWith('hang-')).length,
        measured_mails: without.length + withBad.length,
        delay_median_ms: round(median(without), 0),
        delay_ratio_median: round(median(withBad) / median(without), 2),
        delay_ratio_worst: round(Math.max(...withBad) / Math.max(...without), 2),
      },
      targets: {
        alerts_due: { atLeast: size.kills * size.recipients * size.alerts },
        alerts_lost: { is: 0 },
        alerts_invented: { is: 0 },
        alerts_in_two_mails: { is: 0 },
        repeats: { atLeast: 1 },
        repeats_with_other_bytes: { is: 0 },
        workers_killed: { is: size.kills },
        mail_servers_killed: { is: size.kills },
        kills_while_mails_were_under_way: { atLeast: size.kills },
        put_off_and_sent: { is: 1 },
        rejected_tries: { is: 1 },
        rejected_mails_failed: { is: 1 },
        rejected_alerts_open: { is: 1 },
        tries_at_them: { atLeast: 2 * size.badAccounts },
        mails_to_them: { is: 0 },
        measured_mails: { is: 2 * size.samples },
        delay_ratio_median: { atMost: 4 },
        // A mail queued behind a recipient that hangs waits for a minute.
        delay_ratio_worst: { atMost: 15 },
      },
    }
  },
})

/** Timeout for leases and retries, on a busy machine. */
const PATIENCE_MS = 180_000

/** A duplicate mail would arrive within this time. */
const SETTLE_MS = 1_500

/** An account with one recipient for each kind of mail server fault. */
async function openFaultyStation(system: IngestSystem) {
  const station = await openStation(system, 'faulty')
  const ids: string[] = []
  for (const manner of ['reject', 'later', 'lose', 'slow'])
    ids.push(await station.addRecipient(`${manner}-one@desk.example`))
  const alerts = 3
  await station.openAlerts(alerts)
  return {
    station,
    /** Alerts that do not arrive because their mail is rejected. */
    rejected: alerts,
    async readRejected() {
      const [mail] = await station.mailsOf(ids[0]!)
      const codes = await station.openCodes()
      return {
        failed: mail?.state === 'FAILED' && mail.attempts === 1 ? 1 : 0,
        alerts: codes.filter((code) => code === 'alert_recipient.failing').length,
      }
    },
  }
}

/** Accounts whose recipients never get a response. Returns how many there are. */
async function openHanging(system: IngestSystem, { badAccounts, badRecipients }: AlertMailsSize) {
  for (let i = 0; i < badAccounts; i += 1) {
    const station = await openStation(system, `bad-${i}`)
    for (let n = 0; n < badRecipients; n += 1) await station.addRecipient(`hang-${i}-${n}@desk.example`)
    await station.openAlerts(1)
  }
  return badAccounts * badRecipients
}

/** Time from creating a recipient, whose account has an open alert, until the mail about it arrives. */
async function measureDelays(station: Station, server: MailServer, label: string, samples: number) {
  const delays: number[] = []
  for (let i = 0; i < samples; i += 1) {
    await sleep(37 * (i % 7))
    const address = `quiet-${label}-${i}@desk.example`
    await station.addRecipient(address)
    const doneMs = performance.now()
    const arrival = await pollUntil(() => server.arrivals.find(({ to }) => to === address), PATIENCE_MS)
    if (arrival === undefined) return delays
    delays.push(Math.max(1, arrival.atMs - doneMs))
  }
  return delays
}

const victimsOf = (kills: number): readonly ('worker' | 'server')[] =>
  Array.from({ length: kills }, () => ['worker', 'server'] as const).flat()

const DOWN_MS = 500

async function killServer(server: MailServer): Promise<void> {
  await server.kill()
  await sleep(DOWN_MS)
  await server.start()
}

async function kill(worker: Child): Promise<void> {
  process.kill(worker.pid, 'SIGKILL')
  await worker.exited
}

async function killWorker(system: IngestSystem, worker: Child): Promise<Child> {
  await kill(worker)
  return system.startWorker('worker')
}

const countTried = ({ tries }: MailServer, manner: string): number =>
  [...tries].filter(([to]) => to.startsWith(`${manner}-`)).reduce((total, [, count]) => total + count, 0)

/** Mails that the server has received and not yet acknowledged. */
function underWay({ arrivals }: MailServer, prefix: string): number {
  const nowMs = performance.now()
  return arrivals.filter(({ to, atMs }) => to.startsWith(prefix) && nowMs - atMs < 100).length
}
