// Toasts never cover the primary action or a receipt. Mount <Toaster/> once and call toast() from anywhere.
import './styles/overlays.css';
import { type CSSProperties, useEffect, useState } from 'react';
import { Toaster as Sonner, toast as sonner, useSonner } from 'sonner';
import { Icon, type IconName } from './icon.tsx';
import { calculateLift, type Rect } from './popover-position.ts';
import * as texts from './texts.ts';

export type ToastType = 'info' | 'warning' | 'error' | 'success';

export interface ToastOptions {
  type?: ToastType | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  durationMs?: number | undefined;
  /** A toast with the same id is replaced. Errors use their message as id. */
  id?: string | undefined;
}

const icons: Record<ToastType, IconName> = { info: 'info', warning: 'warning', error: 'warning', success: 'check' };

interface ToastBarProps {
  id: string | number;
  message: string;
  type: ToastType;
  action: ToastOptions['action'];
}

function ToastBar({ id, message, type, action }: ToastBarProps) {
  const runAction = () => {
    action?.onClick();
    sonner.dismiss(id);
  };
  return (
    <div className="toast" role={type === 'error' ? 'alert' : undefined}>
      {type !== 'info' && <Icon name={icons[type]} size={20} />}
      <span className="toast__words">{message}</span>
      {action ? (
        <button type="button" className="toast__act" onClick={runAction}>
          {action.label}
        </button>
      ) : (
        <button type="button" className="toast__close" aria-label={texts.dismiss} onClick={() => sonner.dismiss(id)}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}

/** The default duration (row I1). */
const DURATION_MS = 5_000;

function show(message: string, { type = 'info', action, durationMs = DURATION_MS, id }: ToastOptions = {}) {
  const key = id ?? (type === 'error' ? `error:${message}` : undefined);
  return sonner.custom((toastId) => <ToastBar id={toastId} message={message} type={type} action={action} />, {
    duration: durationMs,
    unstyled: true,
    ...(key !== undefined && { id: key }),
  });
}

type TypedToastOptions = Omit<ToastOptions, 'type'>;

export const toast = Object.assign(show, {
  info: (message: string, options?: TypedToastOptions) => show(message, { ...options, type: 'info' }),
  success: (message: string, options?: TypedToastOptions) => show(message, { ...options, type: 'success' }),
  warning: (message: string, options?: TypedToastOptions) => show(message, { ...options, type: 'warning' }),
  error: (message: string, options?: TypedToastOptions) => show(message, { ...options, type: 'error' }),
  dismiss: (id?: string | number) => sonner.dismiss(id),
});

const GAP_PX = 8;
const CHECK_MS = 100;
const PROTECTED_SELECTOR =
  '.action-bar, .composer, .dialog__acts, .dialog .field, .btn--primary, .btn--lg, .slip, .yours, [data-uncovered]';

function listRects(selector: string): Rect[] {
  const rects = Array.from(document.querySelectorAll(selector), (element) => element.getBoundingClientRect());
  return rects.filter(({ width, height }) => width > 0 && height > 0);
}

function findToastRect(lift: number): Rect | undefined {
  const list = document.querySelector('[data-sonner-toaster]');
  const bars = Array.from(document.querySelectorAll<HTMLElement>('.toast'));
  if (!list || bars.length === 0) return undefined;
  const bottom = list.getBoundingClientRect().bottom + lift;
  const height = bars.reduce((sum, { offsetHeight }) => sum + offsetHeight + GAP_PX, -GAP_PX);
  const sides = bars.map((bar) => bar.getBoundingClientRect());
  return {
    top: bottom - height,
    bottom,
    left: Math.min(...sides.map(({ left }) => left)),
    right: Math.max(...sides.map(({ right }) => right)),
  };
}

/**
 * Returns the lift of the toasts in px. The content below can move at any time, so the position is checked repeatedly.
 */
function useLift(count: number): number {
  const [lift, setLift] = useState(0);
  useEffect(() => {
    if (count === 0) return;
    const check = () =>
      setLift((current) => {
        const bar = findToastRect(current);
        return bar ? Math.round(calculateLift(bar, listRects(PROTECTED_SELECTOR), innerHeight)) : current;
      });
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
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
      gap={GAP_PX}
      containerAriaLabel={texts.messages}
    />
  );
}
