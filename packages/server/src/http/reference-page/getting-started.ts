import { commandPanel, textPanel } from './code-panel.ts'
import { curlCommand, type ExampleValues } from './curl.ts'
import { type Html, html } from './html.ts'
import { operationLink } from './operation.ts'
import { findOperation, type Reference } from './reference.ts'

export function gettingStarted(reference: Reference, values: ExampleValues): Html {
  const command = (id: string, title: string) => {
    const entry = findOperation(reference, id)
    return entry === undefined
      ? undefined
      : commandPanel(title, `${title}, example`, curlCommand(entry, values))
  }
  const setBase = "BASE='https://continuity.example'"
  const setCredential = ["TOKEN='…'   # token.token_access", "DEVICE='…'  # device_id"].join('\n')
  return html`<section class="guide" id="getting-started">
    <h2>Getting started</h2>
    <div class="columns"><div class="text">
      <p>Three calls are enough to see a catalog. Every command on this page works once
      <code>BASE</code> is the address of your installation and <code>TOKEN</code> and <code>DEVICE</code> are
      the values of your login; ids are examples.</p>
      <ol>
        <li><strong>Log in.</strong> ${operationLink(reference, 'login')} accepts an account, an e-mail address and a
        password and returns a session. An app without a user calls ${operationLink(reference, 'registerDevice')}
        with its SDK key instead and gets a session that can read public content. Keep three values of
        the answer: <code>token.token_access</code>, <code>device_id</code> and <code>token.token_refresh</code>.</li>
        <li><strong>Read.</strong> Every other call has two headers, the access credential and the device id that
        it was issued for. One without the other, or with another device, is 401.</li>
        <li><strong>Refresh.</strong> An access credential lasts 60 minutes. ${operationLink(reference, 'refreshSession')}
        returns a new pair; the refresh credential lasts 30 days and can be used once, so store the new one each time.
        Using an old one again ends the session, because only a thief or a mix-up does that. A client that lost the
        answer may repeat the call within 10 seconds and gets the same new pair.</li>
      </ol>
      ${headerTable(reference)}
      <p>Both spellings are accepted under both prefixes, in any case.</p>
    </div><div class="shown">
      ${textPanel('Your installation', 'Base address, example', setBase)}
      ${command('login', '1. Log in')}
      ${textPanel('Keep from the answer', 'Credentials to keep, example', setCredential)}
      ${command('listVideos', '2. Read')}
      ${command('refreshSession', '3. Refresh')}
    </div></div>
  </section>`
}

function headerTable({ versions }: Reference): Html {
  return html`<table>
    <thead><tr><th scope="col">Prefix</th><th scope="col">Access credential</th><th scope="col">Device id</th></tr></thead>
    <tbody>${versions.map(
      ({ prefix, headers }) => html`<tr><th scope="row"><code>${prefix}</code></th>
        ${headers.map(({ name }) => html`<td><code>${name}</code></td>`)}</tr>`,
    )}</tbody>
  </table>`
}
