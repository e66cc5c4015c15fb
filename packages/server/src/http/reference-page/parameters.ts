import { boundsOf } from './bounds.ts'
import { type Content, type Html, html, join } from './html.ts'
import { prose } from './prose.ts'
import type { OpenApiParameter, ReferenceOperation } from './reference.ts'
import { type Schemas, typeWords } from './schema-shape.ts'

export function parameters({ operation, version }: ReferenceOperation): Content {
  if (operation.parameters.length === 0) return undefined
  return html`<h4>Parameters</h4>
    <table class="parameters">
      <thead><tr>
        <th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th>
      </tr></thead>
      <tbody>${operation.parameters.map((parameter) => row(parameter, version.schemas))}</tbody>
    </table>`
}

function row(parameter: OpenApiParameter, schemas: Schemas): Html {
  const { name, schema, description } = parameter
  const bounds = boundsOf(schema, schemas)
  return html`<tr>
    <th scope="row"><code>${name}</code>${parameter.required ? html` <span class="required">required</span>` : undefined}</th>
    <td class="location">${parameter.in}</td>
    <td class="type">${typeWords(schema, schemas)}</td>
    <td>${description === undefined ? undefined : html`<p>${prose(description)}</p>`}
    ${bounds.length === 0 ? undefined : html`<p class="bounds">${join(bounds, '; ')}</p>`}</td>
  </tr>`
}
