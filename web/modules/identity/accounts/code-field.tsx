import { TextField, type TextFieldProps } from '../../../ui/field.tsx';
import * as texts from './texts.ts';

export function CodeField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label={texts.authenticationCode}
      hint={texts.authenticationCodeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
