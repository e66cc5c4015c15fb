export interface ProcessSettings {
  readonly process: string
  readonly names: readonly string[]
}

/** The settings that each process gets in a compose file, whose services have the shape of ours. */
export function composeSettings(text: string): ProcessSettings[] {
  const [shared = '', services = ''] = text.split(/^services:$/m)
  const blocks = [...shared.split(/^(?=x-)/m), ...services.split(/^(?= {2}[a-z0-9-]+:)/m)]
  const commands = new Map<string, string>()
  const found: ProcessSettings[] = []
  for (const block of blocks) {
    const own = /command: \[node, \/opt\/continuity\/server\/([a-z]+)\.js\]/.exec(block)?.[1]
    const anchor = /^x-[a-z]+: &([a-z]+)/.exec(block)?.[1]
    if (own !== undefined && anchor !== undefined) commands.set(anchor, own)
    const process = own ?? commands.get(/<<: \*([a-z]+)/.exec(block)?.[1] ?? '')
    const environment = /^( +)environment:\n((?:\1 +.+\n)+)/m.exec(block)?.[2]
    if (process === undefined || environment === undefined) continue
    found.push({
      process,
      names: [...environment.matchAll(/^ +([A-Z][A-Z0-9_]*):/gm)].map((match) => match[1]!),
    })
  }
  return found
}
