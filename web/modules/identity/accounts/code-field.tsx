import { TextField, type TextFieldProps } from '../../../ui/field.tsx';

export function CodeField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label="Authentication code"
      hint="From your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
