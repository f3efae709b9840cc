import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './class-names.ts';
import { FieldErrorMessage } from './field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'children' | 'id'>;

export function Checkbox({
  children,
  hint,
  error,
  className,
  ...input
}: InputProps & { children: ReactNode; hint?: ReactNode; error?: string | undefined; className?: string | undefined }) {
  const id = useId();
  const described = cx(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`);
  return (
    <div className={className}>
      <label className="choice">
        <input
          type="checkbox"
          {...input}
          className="box"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={described || undefined}
        />
        <span>
          {children}
          {hint !== undefined && (
            <span className="choice__hint" id={`${id}-hint`}>
              {hint}
            </span>
          )}
        </span>
      </label>
      <FieldErrorMessage id={`${id}-error`} message={error} />
    </div>
  );
}

export function Switch({
  label,
  hint,
  row,
  ...input
}: InputProps & {
  label: ReactNode;
  hint?: ReactNode;
  row?: boolean | undefined;
}) {
  return (
    <label className={cx('toggle', row && 'toggle--row')}>
      <span className="toggle__label">
        {label}
        {hint !== undefined && <span className="toggle__hint">{hint}</span>}
      </span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its own state */}
      <input type="checkbox" role="switch" {...input} className="switch" />
    </label>
  );
}

export interface Choice {
  value: string;
  title: ReactNode;
  sub?: ReactNode;
  end?: ReactNode;
  disabled?: boolean | undefined;
}

interface ChoiceGroup {
  name: string;
  label?: string | undefined;
  labelledBy?: string | undefined;
  value?: string | undefined;
  defaultValue?: string | undefined;
  onValueChange?: ((value: string) => void) | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

function radioProps(
  { name, value, defaultValue, onValueChange, required }: ChoiceGroup,
  own: { value: string; disabled?: boolean | undefined },
) {
  const chosen =
    value === undefined
      ? { defaultChecked: own.value === defaultValue }
      : { checked: own.value === value, readOnly: !onValueChange };
  return {
    type: 'radio',
    name,
    required,
    value: own.value,
    disabled: own.disabled,
    ...chosen,
    ...(onValueChange && { onChange: () => onValueChange(own.value) }),
  } as const;
}

export function RadioRows({
  choices,
  plain,
  ...group
}: ChoiceGroup & {
  choices: readonly Choice[];
  plain?: boolean | undefined;
}) {
  return (
    <div
      className={cx('packs', plain && 'packs--plain', group.className)}
      role="radiogroup"
      aria-label={group.label}
      aria-labelledby={group.labelledBy}
    >
      {choices.map((choice) => (
        <label className="pack" key={choice.value}>
          <input {...radioProps(group, choice)} className="dot" />
          <span className="min-w-0">
            <span className="pack__title">{choice.title}</span>
            {choice.sub !== undefined && <span className="pack__sub num">{choice.sub}</span>}
          </span>
          {choice.end !== undefined && <span className="pack__end num">{choice.end}</span>}
        </label>
      ))}
    </div>
  );
}

export function Segmented({
  options,
  ...group
}: ChoiceGroup & { options: ReadonlyArray<{ value: string; label: ReactNode; disabled?: boolean | undefined }> }) {
  return (
    <div
      className={cx('segmented', group.className)}
      role="radiogroup"
      aria-label={group.label}
      aria-labelledby={group.labelledBy}
    >
      {options.map((option) => (
        <label key={option.value}>
          <input {...radioProps(group, option)} className="sr-only" />
          {option.label}
        </label>
      ))}
    </div>
  );
}
