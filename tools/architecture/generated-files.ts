import { eventKinds, openApiDocument, operationList } from '@continuity/contract'
import { alertKinds } from '@continuity/core/alerts/advice'
import { errorTable, type NatsUser, printNatsAccounts, remedyOf, settings } from '@continuity/server/owner'
import { printResults } from '../../proofs/results.ts'
import { printCommands, printLogMessages, printMetrics } from './print-operator-texts.ts'
import { readSourceFiles } from './source-files.ts'

export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

/** Files that are printed from code and committed, so that a change to them is seen. */
export function generatedFiles(): GeneratedFile[] {
  return [
    { path: 'docs/api/openapi-2.1.json', content: printJson(openApiDocument('2.1')) },
    { path: 'docs/api/openapi-2.3.json', content: printJson(openApiDocument('2.3')) },
    { path: 'docs/api/errors.md', content: printErrors() },
    { path: 'docs/api/events.md', content: printEvents() },
    { path: 'docs/configuration.md', content: printSettings() },
    { path: 'docs/operations/alerts.md', content: printAlerts() },
    { path: 'docs/operations/log-messages.md', content: printLogMessages(readSourceFiles()) },
    { path: 'docs/operations/metrics.md', content: printMetrics(readSourceFiles()) },
    { path: 'docs/operations/commands.md', content: printCommands() },
    { path: 'deploy/nats/continuity.conf', content: printNatsConfig(ofThree) },
    { path: 'deploy/nats/single.conf', content: printNatsConfig(single) },
    { path: 'docs/proofs.md', content: printResults() },
  ]
}

const printJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function printErrors(): string {
  const rows = errorTable.map(
    ({ code, status, title, remedy }) => `| \`${code}\` | ${status} | ${title} | ${remedy} |`,
  )
  return `# Errors

Printed from the declarations in the code by \`npm run generate\`. Every error response is \`application/problem+json\`
and carries one of these codes, which never change their meaning.

## API

| code | status | meaning | what to do |
|---|---|---|---|
${rows.join('\n')}

## Gateway

nginx, as configured in \`deploy/nginx\`, returns problems of the same form. Besides codes of the API it has two of its own;
with these, it is unknown whether the API carried out the request.

| code | status | meaning | what to do |
|---|---|---|---|
| \`gateway.unreachable\` | 502 | No API process could be reached | ${remedyOf('gateway.unreachable')} |
| \`gateway.timeout\` | 504 | The API process did not answer in time | ${remedyOf('gateway.timeout')} |

## By operation

As the contract declares them.

| code | status | operations |
|---|---|---|
${printOperationErrors()}
`
}

function printOperationErrors(): string {
  const users = new Map<string, string[]>()
  for (const { id, errors } of operationList) {
    for (const [code, status] of Object.entries(errors ?? {})) {
      const row = `| \`${code}\` | ${status} |`
      users.set(row, [...(users.get(row) ?? []), id])
    }
  }
  return [...users]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, ids]) => `${row} ${ids.join(', ')} |`)
    .join('\n')
}

function printEvents(): string {
  const rows = Object.entries(eventKinds).map(([kind, { description, subject, data }]) => {
    const fields = Object.keys(data.properties).map((name) => `\`${name}\``)
    return `| \`${kind}\` | ${description} | \`${subject}\` | ${fields.join(', ')} |`
  })
  return `# Events

Printed from the contract by \`npm run generate\`; [docs/interface/events.md](../interface/events.md) describes how they are
followed, and the schema \`Event\` of the OpenAPI document has the type and an example of each field.

| kind | when | subject | fields of \`data\` |
|---|---|---|---|
${rows.join('\n')}
`
}

function printAlerts(): string {
  const rows = Object.entries(alertKinds).map(
    ([code, { meaning, advice }]) => `| \`${code}\` | ${meaning} | ${advice} |`,
  )
  return `# Alerts

Printed from the code by \`npm run generate\`. An alert is opened once for its subject, changes while it is open, and closes by
itself when its cause is gone. \`GET /api/2.3/alerts\`, the console, the event \`alert.opened\`, webhooks and e-mail show it.

| code | meaning | what to do |
|---|---|---|
${rows.join('\n')}
`
}

function printSettings(): string {
  const sections = Object.entries(settings).map(([process, list]) => {
    const rows = Object.values(list).map(({ name, about, form, fallback }) => {
      const shown =
        fallback === undefined ? 'required' : `\`${String(fallback) === '' ? ' ' : String(fallback)}\``
      return `| \`${name}\` | ${about} | ${form} | ${shown} |`
    })
    return `## ${process}\n\n| setting | for | form | default |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Configuration

Printed from the code by \`npm run generate\`. Settings are read from the environment once, at the start of a
process; \`npx continuity config\` shows what this shell would give it. \`npm start\` sets what is required by itself,
and passes on the rest. It has settings of its own too: \`CONTINUITY_HOME\` (the folder that everything is in,
\`.continuity\`) and \`PG_BIN_DIR\` (where the programs of PostgreSQL are).

${sections.join('\n')}`
}

/** Each process that runs on a machine of its own has a user of its own. */
const natsUsers: Readonly<Record<string, NatsUser['role']>> = {
  owner: 'owner',
  api: 'api',
  worker: 'worker',
  playout_1: 'playout',
  playout_2: 'playout',
  receiver_1: 'receiver',
}

interface NatsLayout {
  readonly about: string
  readonly cluster: string
}

const single: NatsLayout = { about: 'A NATS server alone.', cluster: '' }
const ofThree: NatsLayout = {
  about: 'One of three NATS servers.',
  cluster: `
# Remove this block for a single server.
cluster {
  name: continuity
  listen: $NATS_CLUSTER_LISTEN
  authorization { user: $NATS_CLUSTER_USER, password: $NATS_CLUSTER_PASSWORD }
  # nats-route://user:password@host:port, of all three; each server recognises itself.
  routes: [$NATS_ROUTE_1, $NATS_ROUTE_2, $NATS_ROUTE_3]
}
`,
}

function printNatsConfig({ about, cluster }: NatsLayout): string {
  const users = Object.entries(natsUsers).map(([name, role]) => ({
    role,
    name,
    password: `$NATS_PASSWORD_${name.toUpperCase()}`,
  }))
  return `# ${about} Printed from the code by \`npm run generate\`: copy it to change it.
# Values that begin with $ are taken from the environment of the server; see deploy/README.md.

server_name: $NATS_NAME
listen: $NATS_LISTEN
# Limit for the largest message of the feed.
max_payload: 8MB
jetstream { store_dir: $NATS_STORE }
${cluster}
# For another playout node or receiver, copy the last user of its account and put the new name in the two subjects.
${printNatsAccounts(users)}`
}
