import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './styles/case.css';
import { Button, IconButton } from './button.tsx';
import { TextAreaField } from './field.tsx';
import { isPlainKey } from './keys.ts';
import { FocusHead } from './label.tsx';
import { Refusal } from './refusal.tsx';

export interface CaseFrameProps {
  title: string;
  back: { href: string; label: string };
  line: ReactNode;
  act: ReactNode;
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}

export function CaseFrame({ title, back, line, act, onKeyDown, children }: CaseFrameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys beside the controls, which do the same
    <div className="case" onKeyDown={onKeyDown}>
      <div className="case__about">
        <div className="grid gap-2">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small">
            <IconButton icon="chevron-left" {...back} className="-my-2 -ml-3" />
            {line}
          </div>
          <FocusHead>{title}</FocusHead>
        </div>
        {children}
      </div>
      <aside className="case__act" aria-label="Decision">
        {act}
      </aside>
    </div>
  );
}

export function CasePart({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
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

export interface Act<T extends string> {
  value: T;
  words: string;
  letter: string;
  button: string;
  told?: ((ground: string) => ReactNode) | undefined;
  note?: ReactNode;
}

/**
 * The state is above the panel so that keyboard shortcuts work in the whole record. A shortcut chooses the action and
 * focuses the reason.
 */
export function useActs<T extends string>(acts: readonly Act<T>[]) {
  const [value, choose] = useState<T>();
  const [ground, setGround] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = acts.length === 1 ? acts[0] : acts.find((act) => act.value === value);
  const onKeyDown = (event: KeyboardEvent) => {
    const meant = acts.find(({ letter }) => letter === event.key.toUpperCase());
    if (!meant || !isPlainKey(event)) return;
    choose(meant.value);
    field.current?.focus();
    event.preventDefault();
  };
  return { acts, chosen, choose, ground, setGround, field, onKeyDown };
}

export interface ActPanelProps<T extends string> {
  of: ReturnType<typeof useActs<T>>;
  legend: string;
  ground: { label: string; hint: string; min: number; max: number };
  busy: boolean;
  error?: string | undefined;
  isReady?: boolean;
  isBegun?: boolean;
  children?: ReactNode;
  onAct: (value: T, ground: string) => void;
}

export function ActPanel<T extends string>({
  of,
  legend,
  ground,
  busy,
  error,
  isReady = true,
  isBegun = false,
  children,
  onAct,
}: ActPanelProps<T>) {
  const name = useId();
  const { acts, chosen, field } = of;
  useEffect(() => {
    if (isBegun) field.current?.focus();
  }, [isBegun, field]);
  const why = of.ground.trim();
  const isSaid = isReady && why.length >= ground.min && why.length <= ground.max;
  return (
    <form
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen && isSaid && !busy) onAct(chosen.value, why);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      {acts.length > 1 && (
        <fieldset>
          <legend className="case-head">{legend}</legend>
          {acts.map(({ value, words, letter }) => (
            <label key={value} className="case-choice">
              <input
                type="radio"
                className="dot"
                name={name}
                checked={chosen?.value === value}
                onChange={() => of.choose(value)}
              />
              <span>{words}</span>
              <kbd>{letter}</kbd>
            </label>
          ))}
        </fieldset>
      )}
      {children}
      <TextAreaField
        label={ground.label}
        hint={ground.hint}
        ref={field}
        rows={3}
        counter={ground.max}
        value={of.ground}
        onChange={(event) => of.setGround(event.currentTarget.value)}
      />
      {chosen?.told && (
        <div>
          <p className="case-head">Message preview</p>
          <div className="case-told" aria-live="polite">
            {chosen.told(why)}
          </div>
        </div>
      )}
      {chosen?.note && <p className="text-small">{chosen.note}</p>}
      {error !== undefined && <Refusal message={error} />}
      <Button type="submit" variant="primary" wide disabled={!chosen || !isSaid} busy={busy} busyText="Sending…">
        {chosen ? chosen.button : 'Select an option'}
      </Button>
      <p className="text-small text-muted">Recorded in the audit log with your name and reason.</p>
      <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
        <kbd>Ctrl</kbd> <kbd>↵</kbd> Send
      </p>
    </form>
  );
}
