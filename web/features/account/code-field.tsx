import { TextField, type TextFieldProps } from '../../ui/field.tsx';

export function CodeField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label="Code"
      hint="From the app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
