import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './styles/case.css';
import { Button, IconButton } from './button.tsx';
import { TextAreaField } from './field.tsx';
import { formatNodes } from './format-nodes.ts';
import { InlineError } from './inline-error.tsx';
import { isPlainKey } from './keys.ts';
import { FocusedHeading } from './label.tsx';
import * as texts from './texts.ts';

export interface RecordLayoutProps {
  title: string;
  back: { href: string; label: string };
  summary: ReactNode;
  action: ReactNode;
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}

export function RecordLayout({ title, back, summary, action, onKeyDown, children }: RecordLayoutProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys in addition to the controls, which do the same
    <div className="case" onKeyDown={onKeyDown}>
      <div className="case__about">
        <div className="grid gap-2">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small">
            <IconButton icon="chevron-left" {...back} className="-my-2 -ml-3" />
            {summary}
          </div>
          <FocusedHeading>{title}</FocusedHeading>
        </div>
        {children}
      </div>
      <aside className="case__act" aria-label={texts.decision}>
        {action}
      </aside>
    </div>
  );
}

export function RecordSection({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="case-head">
        <h2 id={id}>{title}</h2>
        {end !== undefined && <span className="font-normal text-muted num">{end}</span>}
      </div>
      {children}
    </section>
  );
}

export interface RecordAction<T extends string> {
  value: T;
  label: string;
  shortcut: string;
  button: string;
  preview?: ((reason: string) => ReactNode) | undefined;
  note?: ReactNode;
}

/**
 * The state is above the panel so that keyboard shortcuts work in the whole record. A shortcut chooses the action and
 * focuses the reason.
 */
export function useRecordActions<T extends string>(actions: readonly RecordAction<T>[]) {
  const [value, choose] = useState<T>();
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = actions.length === 1 ? actions[0] : actions.find((action) => action.value === value);
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = actions.find(({ shortcut }) => shortcut === event.key.toUpperCase());
    if (!pressed || !isPlainKey(event)) return;
    choose(pressed.value);
    field.current?.focus();
    event.preventDefault();
  };
  return { actions, chosen, choose, reason, setReason, field, onKeyDown };
}

export interface ActionPanelProps<T extends string> {
  state: ReturnType<typeof useRecordActions<T>>;
  legend: string;
  reason: { label: string; hint: string; min: number; max: number };
  busy: boolean;
  error?: string | undefined;
  isReady?: boolean;
  shouldFocus?: boolean;
  children?: ReactNode;
  onSubmit: (value: T, reason: string) => void;
}

export function ActionPanel<T extends string>({
  state,
  legend,
  reason,
  busy,
  error,
  isReady = true,
  shouldFocus = false,
  children,
  onSubmit,
}: ActionPanelProps<T>) {
  const name = useId();
  const { actions, chosen, field } = state;
  useEffect(() => {
    if (shouldFocus) field.current?.focus();
  }, [shouldFocus, field]);
  const reasonText = state.reason.trim();
  const isComplete = isReady && reasonText.length >= reason.min && reasonText.length <= reason.max;
  return (
    <form
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen && isComplete && !busy) onSubmit(chosen.value, reasonText);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      {actions.length > 1 && (
        <fieldset>
          <legend className="case-head">{legend}</legend>
          {actions.map(({ value, label, shortcut }) => (
            <label key={value} className="case-choice">
              <input
                type="radio"
                className="dot"
                name={name}
                checked={chosen?.value === value}
                onChange={() => state.choose(value)}
              />
              <span>{label}</span>
              <kbd>{shortcut}</kbd>
            </label>
          ))}
        </fieldset>
      )}
      {children}
      <TextAreaField
        label={reason.label}
        hint={reason.hint}
        ref={field}
        rows={3}
        counter={reason.max}
        value={state.reason}
        onChange={(event) => state.setReason(event.currentTarget.value)}
      />
      {chosen?.preview && (
        <div>
          <p className="case-head">{texts.messagePreview}</p>
          <div className="case-told" aria-live="polite">
            {chosen.preview(reasonText)}
          </div>
        </div>
      )}
      {chosen?.note && <p className="text-small">{chosen.note}</p>}
      {error !== undefined && <InlineError message={error} />}
      <Button
        type="submit"
        variant="primary"
        wide
        disabled={!chosen || !isComplete}
        busy={busy}
        busyText={texts.sendingProgress}
      >
        {chosen ? chosen.button : texts.selectAnOption}
      </Button>
      <p className="text-small text-muted">{texts.recordedInAuditLog}</p>
      <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
        {formatNodes(texts.sendShortcut, { modifierKey: <kbd>Ctrl</kbd>, enterKey: <kbd>↵</kbd> })}
      </p>
    </form>
  );
}
