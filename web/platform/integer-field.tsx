/** The field for whole numbers that are typed. It shows what it understood when the text has separators or other digits. */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUnderstoodInteger } from '@stagedoor/contract/shared/money-input.ts';
import { TextField, type TextFieldProps } from '../ui/field.tsx';
import * as texts from './texts.ts';

export type IntegerFieldProps = Omit<TextFieldProps, 'type' | 'inputMode' | 'autoComplete'>;

export function IntegerField({ hint, error, ...props }: IntegerFieldProps) {
  const understood =
    error === undefined && typeof props.value === 'string' ? formatUnderstoodInteger(props.value) : undefined;
  const note = understood && formatText(texts.amountReadAs, { amount: understood });
  return (
    <TextField
      {...props}
      inputMode="numeric"
      autoComplete="off"
      error={error}
      hint={
        note === undefined ? (
          hint
        ) : (
          <>
            <span className="num">{note}</span> {hint}
          </>
        )
      }
    />
  );
}
