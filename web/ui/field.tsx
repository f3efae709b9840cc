// Form fields with label, control, hint, error and counter, connected by id. Field accepts any control through its
// render function.
import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import * as texts from './texts.ts';

export interface FieldTextProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

export interface ControlProps {
  id: string;
  required: boolean | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export interface FieldProps extends FieldTextProps {
  count?: { used: number; max: number } | undefined;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, required, count, className, children }: FieldProps) {
  const id = useId();
  const described = cx(
    hint !== undefined && `${id}-hint`,
    error !== undefined && `${id}-error`,
    count && `${id}-count`,
  );
  return (
    <div className={cx('field', className)}>
      <label className="field__label" htmlFor={id}>
        {label}
        {required && (
          <span className="field__star" aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      <div className="field__box">
        {children({
          id,
          required,
          'aria-invalid': error === undefined ? undefined : true,
          'aria-describedby': described || undefined,
        })}
      </div>
      {(hint !== undefined || count) && (
        <div className="field__foot">
          <span id={`${id}-hint`}>{hint}</span>
          {count && (
            <span id={`${id}-count`} className="field__count" data-over={count.used > count.max ? '' : undefined}>
              {count.used}
              <span aria-hidden="true">/</span>
              <span className="sr-only"> {texts.ofLimit} </span>
              {count.max}
            </span>
          )}
        </div>
      )}
      <FieldErrorMessage id={`${id}-error`} message={error} />
    </div>
  );
}

export function FieldErrorMessage({ id, message }: { id?: string | undefined; message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p className="field__error" id={id} role="alert">
      <Icon name="warning" size={16} />
      <span>{message}</span>
    </p>
  );
}

type CountedProps = { value?: unknown; defaultValue?: unknown; maxLength?: number | undefined };

const countCharacters = (value: unknown) => (typeof value === 'string' ? [...value].length : 0);

/**
 * Counts the typed characters of controlled and uncontrolled fields. The limit is shown but not enforced while typing.
 */
function useCount<Element extends HTMLInputElement | HTMLTextAreaElement>(
  counted: number | undefined,
  props: CountedProps,
  onChange: ((event: ChangeEvent<Element>) => void) | undefined,
) {
  const [typed, setTyped] = useState(() => countCharacters(props.defaultValue));
  const used = props.value === undefined ? typed : countCharacters(props.value);
  return {
    count: counted === undefined ? undefined : { used, max: counted },
    onChange: (event: ChangeEvent<Element>) => {
      if (counted !== undefined) setTyped(countCharacters(event.target.value));
      onChange?.(event);
    },
  };
}

export type TextFieldProps = FieldTextProps &
  Omit<ComponentProps<'input'>, 'id' | 'required' | 'className' | 'children' | 'prefix'> & {
    counter?: number | undefined;
    prefix?: string | undefined;
    button?: ReactNode;
  };

export function TextField({
  label,
  hint,
  error,
  required,
  className,
  counter,
  prefix,
  button,
  onChange,
  ...input
}: TextFieldProps) {
  const isFreeText = (input.type ?? 'text') === 'text' && input.inputMode === undefined && prefix === undefined;
  const isTime = input.type === 'date' || input.type === 'datetime-local';
  const [typed, setTyped] = useState(input.defaultValue ?? '');
  const isEmpty = isTime && (input.value ?? typed) === '';
  const counted = useCount<HTMLInputElement>(counter, input, (event) => {
    if (isTime) setTyped(event.target.value);
    onChange?.(event);
  });
  return (
    <Field {...{ label, hint, error, required, className }} count={counted.count}>
      {(control) => (
        <>
          {prefix && <span className="field__prefix">{prefix}</span>}
          <input
            dir={isFreeText ? 'auto' : undefined}
            {...input}
            {...control}
            {...(onChange || isTime || counter !== undefined ? { onChange: counted.onChange } : {})}
            data-empty={isEmpty ? '' : undefined}
            className={cx('input', prefix && 'input--prefix', button !== undefined && 'input--button')}
          />
          {button !== undefined && <span className="field__button">{button}</span>}
        </>
      )}
    </Field>
  );
}

export type TextAreaFieldProps = FieldTextProps &
  Omit<ComponentProps<'textarea'>, 'id' | 'required' | 'className' | 'children'> & { counter?: number | undefined };

export function TextAreaField({
  label,
  hint,
  error,
  required,
  className,
  counter,
  onChange,
  ...area
}: TextAreaFieldProps) {
  const counted = useCount<HTMLTextAreaElement>(counter, area, onChange);
  return (
    <Field {...{ label, hint, error, required, className }} count={counted.count}>
      {(control) => (
        <textarea
          rows={4}
          dir="auto"
          {...area}
          {...control}
          {...(onChange || counter !== undefined ? { onChange: counted.onChange } : {})}
          className="input"
        />
      )}
    </Field>
  );
}

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean | undefined;
}

export type SelectFieldProps = FieldTextProps &
  Omit<ComponentProps<'select'>, 'id' | 'required' | 'className' | 'children'> & {
    options: readonly SelectOption[];
    placeholder?: string | undefined;
  };

/** A native select, which works best on phones and without script. */
export function SelectField({
  label,
  hint,
  error,
  required,
  className,
  options,
  placeholder,
  ...select
}: SelectFieldProps) {
  return (
    <Field {...{ label, hint, error, required, className }}>
      {(control) => (
        <select {...select} {...control} className="input">
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
