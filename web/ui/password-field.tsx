import { useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { TextField, type TextFieldProps } from './field.tsx';
import { subscribeToNothing } from './subscribe-to-nothing.ts';
import * as texts from './texts.ts';

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'button' | 'prefix' | 'counter'>;

/** Whether script runs here. False on the server and during hydration, which must match the server. */
const getHydrated = () => true;
const getNotHydrated = () => false;

export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const hasScript = useSyncExternalStore(subscribeToNothing, getHydrated, getNotHydrated);
  return (
    <TextField
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      label={label}
      type={isShown ? 'text' : 'password'}
      button={
        hasScript && (
          <IconButton
            icon={isShown ? 'eye-off' : 'eye'}
            label={isShown ? texts.hidePassword : texts.showPassword}
            quiet
            onClick={() => setShown(!isShown)}
          />
        )
      }
    />
  );
}
