interface ChoiceTexts {
  /** Of no choice. */
  readonly none: string
  /** Of a present one that is not among the choices. */
  readonly missing: string
}

/** The data of a select: none, those that there are, and the present one also where it is not among them. */
export function choicesWith(
  id: string,
  choices: readonly { readonly id: string; readonly title: string }[],
  { none, missing }: ChoiceTexts,
) {
  const isMissing = id !== '' && !choices.some((one) => one.id === id)
  return [
    { value: '', label: none },
    ...(isMissing ? [{ value: id, label: missing }] : []),
    ...choices.map((one) => ({ value: one.id, label: one.title })),
  ]
}
