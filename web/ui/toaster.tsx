// Toasts: one sentence in an inverted ink bar above the tab bar, perhaps with Undo; never over the button that matters or a
// receipt. Mount <Toaster/> once; call toast() from anywhere.
import './styles/overlays.css';
import { type CSSProperties, useLayoutEffect, useState } from 'react';
import { Toaster as Sonner, toast as sonner, useSonner } from 'sonner';
import { type Box, liftOver } from './clear-of.ts';
import { Icon, type IconName } from './icon.tsx';

export type ToastType = 'info' | 'warning' | 'error' | 'success';

export interface ToastOptions {
  type?: ToastType | undefined;
  /** Most often Undo. */
  action?: { label: string; onClick: () => void } | undefined;
  durationMs?: number | undefined;
  /** The same id replaces instead of adding. Errors use their message. */
  id?: string | undefined;
}

const icons: Record<ToastType, IconName> = { info: 'info', warning: 'warning', error: 'warning', success: 'check' };

interface BarProps {
  id: string | number;
  message: string;
  type: ToastType;
  action: ToastOptions['action'];
}

function Bar({ id, message, type, action }: BarProps) {
  const act = () => {
    action?.onClick();
    sonner.dismiss(id);
  };
  return (
    <div className="toast" role={type === 'error' ? 'alert' : undefined}>
      {type !== 'info' && <Icon name={icons[type]} size={20} />}
      <span className="toast__words">{message}</span>
      {action ? (
        <button type="button" className="toast__act" onClick={act}>
          {action.label}
        </button>
      ) : (
        <button type="button" className="toast__close" aria-label="Dismiss" onClick={() => sonner.dismiss(id)}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}

function show(message: string, { type = 'info', action, durationMs = 5000, id }: ToastOptions = {}) {
  const key = id ?? (type === 'error' ? `error:${message}` : undefined);
  return sonner.custom((own) => <Bar id={own} message={message} type={type} action={action} />, {
    duration: durationMs,
    unstyled: true,
    ...(key !== undefined && { id: key }),
  });
}

type Plain = Omit<ToastOptions, 'type'>;

export const toast = Object.assign(show, {
  info: (message: string, options?: Plain) => show(message, { ...options, type: 'info' }),
  success: (message: string, options?: Plain) => show(message, { ...options, type: 'success' }),
  warning: (message: string, options?: Plain) => show(message, { ...options, type: 'warning' }),
  error: (message: string, options?: Plain) => show(message, { ...options, type: 'error' }),
  dismiss: (id?: string | number) => sonner.dismiss(id),
});

const KEPT = '.action-bar, .composer, .dialog__acts, .btn--primary, .btn--lg, .slip, .yours';

function boxesOf(selector: string): Box[] {
  const boxes = Array.from(document.querySelectorAll(selector), (element) => element.getBoundingClientRect());
  return boxes.filter(({ width, height }) => width > 0 && height > 0);
}

/** The room that all bars take together, where they lie without being lifted. */
function barOf(lift: number): Box | undefined {
  const boxes = boxesOf('.toast');
  if (boxes.length === 0) return undefined;
  return {
    top: Math.min(...boxes.map(({ top }) => top)) + lift,
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + lift,
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
  };
}

/** How far the bars are lifted, in px: looked at again whenever the page below them moves. */
function useLift(count: number): number {
  const [lift, setLift] = useState(0);
  useLayoutEffect(() => {
    if (count === 0) return;
    const look = () =>
      setLift((present) => {
        const bar = barOf(present);
        return bar ? Math.round(liftOver(bar, boxesOf(KEPT), innerHeight)) : present;
      });
    // The library places a new bar after this effect.
    const frame = requestAnimationFrame(look);
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    const moves = ['scroll', 'resize', 'focusin'] as const;
    for (const move of moves) addEventListener(move, look, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      for (const move of moves) removeEventListener(move, look, { capture: true });
    };
  }, [count]);
  return lift;
}

export function Toaster() {
  const style: CSSProperties & { '--lift': string } = { '--lift': `${useLift(useSonner().toasts.length)}px` };
  return (
    <Sonner
      className="toaster"
      style={style}
      position="bottom-center"
      visibleToasts={3}
      expand
      gap={8}
      containerAriaLabel="Messages"
    />
  );
}
