/** The oldest Node with the password hash of the platform (Argon2). Commands that use the API run on older ones too. */
const OLDEST = { major: 24, minor: 7 } as const

/**
 * Loads the parts of the server behind the owner's commands. Only when one of them runs: it takes longer than most
 * commands, and fails on an old Node.
 */
export async function loadOwner(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
    const needed = `Node ${OLDEST.major}.${OLDEST.minor} or later`
    throw new Error(`This command works on the platform itself and needs ${needed}; this is Node ${version}.`)
  }
  return import('@continuity/server/owner')
}
