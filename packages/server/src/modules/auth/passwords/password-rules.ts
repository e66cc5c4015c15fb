/** Characters of a new password, counted as code points after normalising. NIST SP 800-63B §5.1.1.2 requires 8. */
export const PASSWORD_CHARACTERS = { least: 8, most: 1_024 } as const

export type PasswordFault = 'too_short' | 'too_long' | 'is_a_name'

/** Text with more code units is too long whatever its normal form, and is not normalised. */
const UNITS_MAXIMUM = 8 * PASSWORD_CHARACTERS.most

/**
 * The fault of a new password, if any. `names` are the e-mail address and the
 * account name, which an attacker tries first.
 *
 * There are no rules on kinds of characters: they make passwords hard to remember
 * and easy to guess.
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
 * NFKC: depending on the keyboard, an accented letter is one code point or two, and
 * Japanese input methods may send full-width digits for the same password.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

const fold = (text: string) => normalizePassword(text).trim().toLowerCase()
