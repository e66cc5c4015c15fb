/** The one line on standard output that says that all is up; null stands for what does not exist yet. */
export interface ReadyLine {
  readonly ready: true
  readonly base_url: string
  readonly playout_url: string | null
  readonly console_url: string | null
  readonly account_name: string | null
  readonly email: string | null
  readonly password: string | null
  readonly app_name: string | null
  readonly sdk_key: string | null
}

export function readyLine(baseUrl: string): ReadyLine {
  return {
    ready: true,
    base_url: baseUrl,
    playout_url: null,
    console_url: null,
    account_name: null,
    email: null,
    password: null,
    app_name: null,
    sdk_key: null,
  }
}
