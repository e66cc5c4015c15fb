import type { OpenApiDocument } from '@continuity/contract'
import type { ExampleValues } from './curl.ts'
import { type ErrorKind, errorCodes } from './error-codes.ts'
import { exampleValues } from './example-values.ts'
import { guide } from './guide.ts'
import { type Html, html, markupOf } from './html.ts'
import { documentAddress, foldedContents, sidebar } from './navigation.ts'
import { operationSection } from './operation.ts'
import { prose } from './prose.ts'
import { type Reference, type ReferenceGroup, toReference } from './reference.ts'
import { styleSheet } from './style-sheet.ts'

export interface ReferencePage {
  readonly html: string
  readonly styleSheet: string
}

const PURPOSE =
  'Linear streaming channels: manage a catalog, submit programs with their schedule, ' +
  'switch to live and back, and read viewing reports.'

/**
 * The API reference as one page without scripts, for the strictest content security policy. `errorKinds` adds the codes
 * that any operation may return, and the meaning of each code.
 */
export function renderReferencePage(
  documents: readonly OpenApiDocument[],
  errorKinds: readonly ErrorKind[] = [],
): ReferencePage {
  const reference = toReference(documents)
  return { html: `<!doctype html>\n${markupOf(page(reference, errorKinds))}\n`, styleSheet }
}

function page(reference: Reference, errorKinds: readonly ErrorKind[]): Html {
  const values = exampleValues(reference)
  return html`<html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="description" content="${PURPOSE}">
      <meta name="color-scheme" content="light dark">
      <title>Continuity API reference</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/docs/style.css">
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      ${sidebar(reference)}
      <div class="page" id="top">
        ${masthead(reference)}
        ${foldedContents(reference)}
        <main id="content" tabindex="-1">
          ${guide(reference, values)}
          ${reference.groups.map((group) => groupSection(group, values))}
          ${errorCodes(reference, errorKinds)}
        </main>
      </div>
    </body>
  </html>`
}

function masthead({ versions }: Reference): Html {
  return html`<header class="masthead">
    <h1>Continuity API</h1>
    <p class="purpose">${PURPOSE}</p>
    <ul class="versions">${versions.map(
      ({ name, prefix, description }) => html`<li>
        <code>${prefix}</code> <span>${description}</span> <a href="${documentAddress(name)}">OpenAPI ${name}</a>
      </li>`,
    )}</ul>
  </header>`
}

function groupSection(group: ReferenceGroup, values: ExampleValues): Html {
  return html`<section class="group" id="${group.anchor}">
    <header>
      <h2>${group.name}</h2>
      <p>${prose(group.description)}</p>
      <a class="to-contents" href="#contents">Contents</a>
    </header>
    ${group.operations.map((entry) => operationSection(entry, values))}
  </section>`
}
