import { Checkbox, PasswordInput, Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { roleText } from '../session/role-words.ts'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import type { User, UserRole } from '../shared/wire-types.ts'
import { roleTexts } from './role-texts.ts'

const PASSWORD_LENGTH = 8

function useUsersChanged(): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: keys.userPages })
    void queries.invalidateQueries({ queryKey: keys.users })
  }
}

export function CreateUser({ onClose }: { onClose: () => void }) {
  const client = useClient()
  const changed = useUsersChanged()
  const key = useRef(crypto.randomUUID())
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [roles, setRoles] = useState<readonly UserRole[]>(['ROLE_USER'])
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.createUser(
        { body: { email, name, password, roles: [...roles] } },
        { idempotencyKey: key.current },
      ),
    onSuccess: () => {
      changed()
      onClose()
    },
    // Another attempt is another request, as its fields may have changed.
    onError: () => {
      key.current = crypto.randomUUID()
    },
  })
  const isReady = email.includes('@') && password.length >= PASSWORD_LENGTH
  return (
    <FormDialog
      title="Add a user"
      submit="Add the user"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={
        roles.length === 0
          ? 'Choose at least one role.'
          : isReady
            ? undefined
            : `An email and a password of ${PASSWORD_LENGTH} characters are needed.`
      }
    >
      <TextInput
        type="email"
        label="Email"
        description="The user logs in with it. It cannot be changed."
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <PasswordInput
        label="Password"
        description="At least 8 characters."
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <RoleChoice roles={roles} onChange={setRoles} />
    </FormDialog>
  )
}

interface UserDialogProps {
  readonly user: User
  readonly isOwn: boolean
  readonly onClose: () => void
}

export function ChangeUser({ user, isOwn, onClose }: UserDialogProps) {
  const client = useClient()
  const changed = useUsersChanged()
  const [name, setName] = useState(user.name)
  const [password, setPassword] = useState('')
  const [roles, setRoles] = useState<readonly UserRole[]>(user.roles)
  const [status, setStatus] = useState(user.status)
  const hasOtherRoles = roles.toSorted().join() !== user.roles.toSorted().join()
  const body = {
    ...(name === user.name ? {} : { name }),
    ...(hasOtherRoles ? { roles: [...roles] } : {}),
    ...(status === user.status ? {} : { status }),
    ...(password === '' ? {} : { password }),
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.changeUser({ params: { user_id: user.user_id }, body }),
    onSuccess: () => {
      changed()
      onClose()
    },
  })
  const isShort = password !== '' && password.length < PASSWORD_LENGTH
  return (
    <FormDialog
      title={`Change ${user.email}`}
      submit="Save"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous={status === 'DISABLED' && user.status === 'ACTIVE'}
      reason={
        roles.length === 0
          ? 'Choose at least one role.'
          : isShort
            ? `A password has at least ${PASSWORD_LENGTH} characters.`
            : Object.keys(body).length === 0
              ? 'Nothing is changed yet.'
              : undefined
      }
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <RoleChoice roles={roles} onChange={setRoles} />
      <Radio.Group
        label="Status"
        description="Disabling ends all sessions of the user at once, and no login works."
        value={status}
        onChange={(value) => setStatus(value === 'DISABLED' ? 'DISABLED' : 'ACTIVE')}
      >
        <Radio value="ACTIVE" label="Active" mt="xs" />
        <Radio value="DISABLED" label={isOwn ? 'Disabled: you will be logged out' : 'Disabled'} mt="xs" />
      </Radio.Group>
      <PasswordInput
        label="New password"
        description="Leave it empty to keep the present one. A new one ends all sessions of the user."
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

export function DeleteUser({ user, isOwn, onClose }: UserDialogProps) {
  const client = useClient()
  const changed = useUsersChanged()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.deleteUser({ params: { user_id: user.user_id } }),
    onSuccess: () => {
      changed()
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Delete ${user.email}`}
      submit="Delete the user"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>
        {isOwn ? 'This is you: you will be logged out. ' : ''}
        All sessions of {user.name === '' ? user.email : user.name} end at once. What they did stays in the
        audit, without their name. To keep the name there, disable the user instead.
      </p>
    </FormDialog>
  )
}

interface RoleChoiceProps {
  readonly roles: readonly UserRole[]
  readonly onChange: (roles: readonly UserRole[]) => void
}

function RoleChoice({ roles, onChange }: RoleChoiceProps) {
  const choices = Object.keys(roleTexts) as UserRole[]
  return (
    <Checkbox.Group
      label="Roles"
      value={[...roles]}
      onChange={(values) => onChange(choices.filter((one) => values.includes(one)))}
    >
      {choices.map((role) => (
        <Checkbox key={role} value={role} label={roleText(role)} description={roleTexts[role]} mt="xs" />
      ))}
    </Checkbox.Group>
  )
}
