/** The field for amounts of money that are typed. It shows what it understood when the text can be read in two ways. */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUnderstoodUsd } from '@stagedoor/contract/shared/money-input.ts';
import { TextField, type TextFieldProps } from '../ui/field.tsx';
import * as texts from './texts.ts';

export type MoneyFieldProps = Omit<TextFieldProps, 'type' | 'inputMode' | 'prefix' | 'autoComplete'>;

export function MoneyField({ hint, error, ...props }: MoneyFieldProps) {
  const understood =
    error === undefined && typeof props.value === 'string' ? formatUnderstoodUsd(props.value) : undefined;
  const note = understood && formatText(texts.amountReadAs, { amount: understood });
  return (
    <TextField
      {...props}
      prefix="$"
      inputMode="decimal"
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
