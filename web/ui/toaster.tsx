// Toasts: one sentence in an inverted ink bar above the tab bar, perhaps with Undo. Mount <Toaster/> once; call toast() from anywhere.
import './styles/overlays.css';
import { Toaster as Sonner, toast as sonner } from 'sonner';
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

export function Toaster() {
  return (
    <Sonner
      className="toaster"
      position="bottom-center"
      visibleToasts={3}
      expand
      gap={8}
      containerAriaLabel="Messages"
    />
  );
}
