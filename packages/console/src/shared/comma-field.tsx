import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

interface CommaFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

/** Texts in one field, separated by commas. */
export function CommaField({ value, onChange, ...props }: CommaFieldProps) {
  const [typed, setTyped] = useState('')
  const printed = value.join(', ')
  // What is typed stays as it is, with a comma at its end, as long as it has this value.
  const isTyped = split(typed).join(', ') === printed
  return (
    <TextInput
      {...props}
      value={isTyped ? typed : printed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(split(currentTarget.value))
      }}
    />
  )
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
