// A password with a button to look at it. The button appears once script is there to answer it.
import { useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { TextField, type TextFieldProps } from './field.tsx';

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'button' | 'prefix' | 'counter'>;

/** Whether script runs here: not on the server, nor for the first picture that has to agree with it. */
const never = () => () => undefined;
const yes = () => true;
const no = () => false;

export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const live = useSyncExternalStore(never, yes, no);
  return (
    <TextField
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      label={label}
      type={shown ? 'text' : 'password'}
      button={
        live && (
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            label={shown ? 'Hide password' : 'Show password'}
            quiet
            onClick={() => setShown(!shown)}
          />
        )
      }
    />
  );
}
