import type { JsonSchema } from '@continuity/contract'
import { boundsOf } from './bounds.ts'
import { type Content, type Html, html, join } from './html.ts'
import { prose } from './prose.ts'
import {
  asList,
  asSchema,
  propertiesOf,
  type SchemaShape,
  type Schemas,
  shapeOf,
  structureOf,
  typeWords,
} from './schema-shape.ts'

/** Bodies that are sent say whether they may carry more; of an answer a client reads what it knows. */
export type Direction = 'sent' | 'answered'

interface Context {
  readonly schemas: Schemas
  readonly direction: Direction
  /** Names of the records that are open around this one. A record inside itself is not opened again. */
  readonly open: readonly string[]
}

/** The fields of a body, with nested records to be opened in their place. */
export function schemaFields(schema: JsonSchema, schemas: Schemas, direction: Direction): Html {
  const structure = structureOf(schema, schemas)
  const { schema: root } = shapeOf(schema, schemas)
  const context = { schemas, direction, open: structure?.name === undefined ? [] : [structure.name] }
  return html`
    <p class="type-line"><span class="type">${typeWords(schema, schemas)}</span>${boundsLine(schema, schemas)}</p>
    ${description(root)}
    ${structure === undefined ? undefined : members(structure, context)}`
}

function members(structure: SchemaShape, context: Context): Content {
  const variants = asList(structure.schema.oneOf)
  return variants.length > 0
    ? alternatives(structure.schema, variants, context)
    : fieldList(structure.schema, context)
}

function fieldList(schema: JsonSchema, context: Context): Html {
  const required = new Set(asList(schema.required))
  const isOpen = context.direction === 'sent' && schema.additionalProperties === undefined
  return html`<ul class="fields">
    ${propertiesOf(schema).map(([name, property]) => field(name, property, required.has(name), context))}
    ${isOpen ? html`<li class="field field-any">Further fields may be sent.</li>` : undefined}
  </ul>`
}

function field(name: string, value: unknown, isRequired: boolean, context: Context): Html {
  const { schema } = shapeOf(value, context.schemas)
  const structure = structureOf(value, context.schemas)
  // What is told about a record itself stands where the record is opened, unless the field says it differently.
  const own = structure === undefined ? schema : asSchema(value)
  return html`<li class="field">
    <p class="field-head"><code class="field-name">${name}</code>
    <span class="type">${typeWords(value, context.schemas)}</span>
    ${isRequired ? html`<span class="required">required</span>` : undefined}</p>
    ${description(own)}
    ${boundsParagraph(value, context.schemas)}
    ${structure === undefined ? undefined : nested(structure, context)}
  </li>`
}

function nested(structure: SchemaShape, context: Context): Html {
  const { name } = structure
  if (name === undefined) {
    return html`<details class="nested" open><summary>Fields</summary>${members(structure, context)}</details>`
  }
  if (context.open.includes(name))
    return html`<p class="field-text">The same fields as ${name}, which this is part of.</p>`
  const inside = { ...context, open: [...context.open, name] }
  return html`<details class="nested"><summary>Fields of ${name}</summary>
    ${description(structure.schema)}${members(structure, inside)}</details>`
}

/** One of several records, with the field that tells them apart when there is one. */
function alternatives(schema: JsonSchema, variants: readonly unknown[], context: Context): Content {
  const { propertyName } = asSchema(schema.discriminator)
  const told =
    typeof propertyName === 'string' ? html`, told apart by <code>${propertyName}</code>` : undefined
  return [
    html`<p class="field-text">One of ${variants.length}${told}:</p>`,
    variants.map((variant) => alternative(variant, propertyName, context)),
  ]
}

function alternative(variant: unknown, discriminator: unknown, context: Context): Html {
  const structure = structureOf(variant, context.schemas)
  const title = alternativeTitle(variant, discriminator, context.schemas)
  if (structure === undefined)
    return html`<p class="field-text">${title}${boundsLine(variant, context.schemas)}</p>`
  const { name } = structure
  if (name !== undefined && context.open.includes(name))
    return html`<p class="field-text">${title}, as above</p>`
  const inside = { ...context, open: name === undefined ? context.open : [...context.open, name] }
  return html`<details class="nested"><summary>${title}</summary>
    ${description(structure.schema)}${members(structure, inside)}</details>`
}

function alternativeTitle(variant: unknown, discriminator: unknown, schemas: Schemas): Content {
  const words = typeWords(variant, schemas)
  if (typeof discriminator !== 'string') return words
  const { schema } = shapeOf(variant, schemas)
  const told = shapeOf(asSchema(schema.properties)[discriminator], schemas).schema.const
  return told === undefined
    ? words
    : html`<code>${discriminator}: ${JSON.stringify(told) ?? ''}</code> ${words}`
}

function description(schema: JsonSchema): Content {
  return typeof schema.description === 'string'
    ? html`<p class="field-text">${prose(schema.description)}</p>`
    : undefined
}

function boundsLine(schema: unknown, schemas: Schemas): Content {
  const bounds = boundsOf(schema, schemas)
  return bounds.length === 0 ? undefined : html`<span class="bounds">, ${join(bounds, '; ')}</span>`
}

function boundsParagraph(schema: unknown, schemas: Schemas): Content {
  const bounds = boundsOf(schema, schemas)
  return bounds.length === 0 ? undefined : html`<p class="bounds">${join(bounds, '; ')}</p>`
}
