import type { DemoAccount } from '@continuity/dev/demo-account'

/** The one line on standard output once everything is up. */
export interface ReadyLine extends DemoAccount {
  readonly ready: true
  readonly base_url: string
  readonly playout_url: string | null
  readonly console_url: string
}

export function readyLine(
  baseUrl: string,
  playoutUrl: string | undefined,
  demoAccount: DemoAccount,
): ReadyLine {
  const { account_name, email, password, app_name, sdk_key } = demoAccount
  return {
    ready: true,
    base_url: baseUrl,
    playout_url: playoutUrl ?? null,
    console_url: `${baseUrl}/console/`,
    account_name,
    email,
    password,
    app_name,
    sdk_key,
  }
}
