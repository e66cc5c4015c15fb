/** Characters of a new password, counted as code points after normalising. NIST SP 800-63B §5.1.1.2 asks for 8. */
export const PASSWORD_CHARACTERS = { least: 8, most: 1_024 } as const

export type PasswordFault = 'too_short' | 'too_long' | 'is_a_name'

/** No character is made of this many code units; text that is longer still need not be normalised to be too long. */
const UNITS_MAXIMUM = 8 * PASSWORD_CHARACTERS.most

/**
 * What is wrong with a new password, if anything. `names` are the e-mail
 * address and the account name: what an attacker tries first, since both are
 * sent beside it.
 *
 * There is no rule on kinds of characters: such rules make passwords that are
 * hard to remember and easy to guess.
 */
export function findPasswordFault(password: string, names: readonly string[]): PasswordFault | undefined {
  if (password.length > UNITS_MAXIMUM) return 'too_long'
  const normal = normalizePassword(password)
  const characters = [...normal].length
  if (characters < PASSWORD_CHARACTERS.least) return 'too_short'
  if (characters > PASSWORD_CHARACTERS.most) return 'too_long'
  return names.some((name) => fold(name) === fold(normal)) ? 'is_a_name' : undefined
}

/**
 * One form for what looks the same (NFKC). An accent arrives as one code point
 * from one keyboard and as two from another, and an input method for Japanese
 * may send digits in full width; the person typed the same password.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

const fold = (text: string) => normalizePassword(text).trim().toLowerCase()
