import type { Compilable } from 'kysely'
import pg from 'pg'

/** One node of a query plan. */
export interface PlanStep {
  readonly type: string
  readonly index: string | undefined
  /** The condition tested on each row that was read. */
  readonly filter: string | undefined
  readonly rows: number
}

/**
 * The plans of a store's query, as the service role and under row-level security: a custom plan for these values, and a
 * generic one, because PostgreSQL switches to it for frequent statements.
 */
export async function queryPlans(
  serviceUrl: string,
  accountId: string,
  query: Compilable,
): Promise<Readonly<Record<'custom' | 'generic', readonly PlanStep[]>>> {
  const { sql, parameters } = query.compile()
  const client = new pg.Client({ connectionString: serviceUrl })
  await client.connect()
  try {
    await client.query("select set_config('app.account_id', $1, false)", [accountId])
    await client.query(`prepare planned as ${sql}`)
    const values = parameters.map((value) => client.escapeLiteral(String(value))).join(', ')
    const explain = async (mode: string) => {
      await client.query(`set plan_cache_mode = force_${mode}_plan`)
      const { rows } = await client.query(`explain (format json) execute planned(${values})`)
      return stepsOf((rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[])[0]!['QUERY PLAN'][0]!.Plan)
    }
    return { custom: await explain('custom'), generic: await explain('generic') }
  } finally {
    await client.end()
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Filter?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

function stepsOf(node: PlanNode): PlanStep[] {
  const step = {
    type: node['Node Type'],
    index: node['Index Name'],
    filter: node.Filter,
    rows: node['Plan Rows'],
  }
  return [step, ...(node.Plans ?? []).flatMap(stepsOf)]
}
