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

/** Request bodies state whether further fields are allowed; answers do not. */
export type Direction = 'sent' | 'answered'

interface Context {
  readonly schemas: Schemas
  readonly direction: Direction
  /** The names of the enclosing records. A record inside itself is not expanded again. */
  readonly open: readonly string[]
}

/** The fields of a body, with nested records to expand. */
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
  // The description of a record is shown where the record is expanded, unless the field has its own.
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

/** One of several records, with their discriminator where there is one. */
function alternatives(schema: JsonSchema, variants: readonly unknown[], context: Context): Content {
  const { propertyName } = asSchema(schema.discriminator)
  const distinguished =
    typeof propertyName === 'string' ? html`, distinguished by <code>${propertyName}</code>` : undefined
  return [
    html`<p class="field-text">One of ${variants.length}${distinguished}:</p>`,
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
  const type = typeWords(variant, schemas)
  if (typeof discriminator !== 'string') return type
  const { schema } = shapeOf(variant, schemas)
  const constant = shapeOf(asSchema(schema.properties)[discriminator], schemas).schema.const
  return constant === undefined
    ? type
    : html`<code>${discriminator}: ${JSON.stringify(constant) ?? ''}</code> ${type}`
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
