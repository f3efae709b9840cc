import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { Field, type FieldTextProps } from './field.tsx';
import { Icon } from './icon.tsx';
import * as texts from './texts.ts';

export type TokenFieldProps = FieldTextProps & {
  values: readonly string[];
  onChange: (values: string[]) => void;
  max: number;
  /** Normalizes a typed value. Undefined rejects it. Default: trims it. */
  clean?: (typed: string) => string | undefined;
  placeholder?: string | undefined;
};

const trimToken = (typed: string) => typed.trim() || undefined;

/**
 * A typed value counts as soon as it is typed, because a submission does not always take the focus from the field first.
 * It becomes a chip when the field is left.
 */
export function TokenField({ values, onChange, max, clean = trimToken, placeholder, ...fieldProps }: TokenFieldProps) {
  const [typed, setTyped] = useState('');
  const [typedValue, setTypedValue] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const chips = values.filter((each) => each !== typedValue);
  const toNext = (entries: readonly string[]) =>
    [...new Set([...chips, ...entries.flatMap((text) => clean(text) ?? [])])].slice(0, max);
  const add = (entries: readonly string[]) => {
    onChange(toNext(entries));
    setTypedValue(undefined);
    setTyped('');
  };
  const changeTyped = (text: string) => {
    const next = toNext([text]);
    onChange(next);
    setTypedValue(next[chips.length]);
    setTyped(text);
  };
  const remove = (value: string) => {
    onChange(values.filter((each) => each !== value));
    input.current?.focus();
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add([typed]);
    } else if (event.key === 'Backspace' && typed === '') onChange(chips.slice(0, -1));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (!/[,\n]/.test(text)) return;
    event.preventDefault();
    add(text.split(/[,\n]/));
  };
  return (
    <Field {...fieldProps} count={{ used: chips.length, max }}>
      {(control) => (
        <div className="grid w-full min-w-0 gap-2">
          {chips.length > 0 && (
            <ul className="flex flex-wrap gap-2" aria-label={fieldProps.label}>
              {chips.map((value) => (
                <li key={value} className="chip min-w-0 max-w-full">
                  <span className="one-line">{value}</span>
                  <button
                    type="button"
                    className="-mr-4 grid size-11 flex-none place-items-center text-muted"
                    aria-label={formatText(texts.removeToken, { token: value })}
                    onClick={() => remove(value)}
                  >
                    <Icon name="close" size={16} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...control}
            ref={input}
            className="input"
            value={typed}
            placeholder={placeholder}
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="done"
            disabled={chips.length >= max}
            onChange={(event) => changeTyped(event.currentTarget.value)}
            onKeyDown={handleKey}
            onPaste={paste}
            onBlur={() => typed.trim() !== '' && add([typed])}
          />
        </div>
      )}
    </Field>
  );
}
