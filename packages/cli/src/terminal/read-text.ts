/*
 * The limits of the API for the owner's commands, which bypass its validation.
 */

type Read = { readonly value: string } | { readonly fault: string }

const CHARACTERS_MAXIMUM = 255

/** A title or a name that must not be empty. */
export function readTitle(text: string): Read {
  const isFine = text.trim() !== '' && text.length <= CHARACTERS_MAXIMUM && !text.includes('\0')
  return isFine ? { value: text } : { fault: `must have 1 to ${CHARACTERS_MAXIMUM} characters.` }
}

export function readEmail(text: string): Read {
  const isFine = text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)
  return isFine ? { value: text } : { fault: `must be an e-mail address, not "${text}".` }
}

export function readCountry(text: string): Read {
  return /^[A-Za-z]{2}$/.test(text)
    ? { value: text.toUpperCase() }
    : { fault: `must be two letters such as DE, not "${text}".` }
}
