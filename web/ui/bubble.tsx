import './styles/talk.css';
import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react';
import { cx } from './class-names.ts';
import * as texts from './texts.ts';

export type DeliveryStatus = 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

const tickPaths: Record<DeliveryStatus, string> = {
  sending: 'M10 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10 3.5V6l1.5 1',
  sent: 'm5 6.5 3.5 3.5L15.5 2',
  delivered: 'm1 6.5 3.5 3.5L11.5 2M9 8.5l1.5 1.5L18 2',
  read: 'm1 6.5 3.5 3.5L11.5 2M9 8.5l1.5 1.5L18 2',
  failed: 'M10 2v5M10 10h.01',
};
const deliveryLabels: Record<DeliveryStatus, string> = {
  sending: texts.sendingStatus,
  sent: texts.sent,
  delivered: texts.delivered,
  read: texts.read,
  failed: texts.notSent,
};

export function BubbleTime({ time, delivery }: { time: string; delivery?: DeliveryStatus | undefined }) {
  return (
    <span className="bubble__at">
      {time}
      {delivery && (
        <svg
          className="icon"
          width={17}
          height={12}
          viewBox="0 0 20 12"
          role="img"
          aria-label={deliveryLabels[delivery]}
          opacity={delivery === 'delivered' ? 0.55 : 1}
        >
          <path d={tickPaths[delivery]} />
        </svg>
      )}
    </span>
  );
}

export interface BubbleProps extends Omit<ComponentProps<'div'>, 'className'> {
  me?: boolean | undefined;
  last?: boolean | undefined;
  kind?: 'text' | 'card' | 'media' | undefined;
  failed?: boolean | undefined;
  children: ReactNode;
}

export function Bubble({ me, last, kind = 'text', failed, children, ...rest }: BubbleProps) {
  return (
    <div
      {...rest}
      className={cx(
        'bubble',
        me && 'bubble--me',
        last && 'bubble--last',
        kind !== 'text' && `bubble--${kind}`,
        failed && 'bubble--failed',
      )}
    >
      {children}
    </div>
  );
}

export function DayDivider({ children }: { children: string }) {
  return <p className="day">{children}</p>;
}

export function TypingIndicator({ label }: { label: string }) {
  return (
    <div className="bubble bubble--last" role="status">
      <span className="typing" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="sr-only">{label}</span>
    </div>
  );
}

export function ComposerForm({ start, end, ...form }: ComponentProps<'form'> & { start?: ReactNode; end?: ReactNode }) {
  const { children, className, ...rest } = form;
  return (
    <form {...rest} className={cx('composer', className)}>
      {start}
      {children}
      {end}
    </form>
  );
}

/**
 * A text area that grows with its content in every browser: an invisible copy of the text behind it sets the height.
 */
export function ComposerInput({ onChange, ...props }: Omit<ComponentProps<'textarea'>, 'className'>) {
  const [typed, setTyped] = useState(props.defaultValue);
  const change = (event: ChangeEvent<HTMLTextAreaElement>) => {
    setTyped(event.target.value);
    onChange?.(event);
  };
  return (
    <span className="composer__room" data-text={props.value ?? typed}>
      <textarea
        rows={1}
        dir="auto"
        placeholder={texts.message}
        aria-label={texts.message}
        {...props}
        onChange={change}
        className="composer__input"
      />
    </span>
  );
}
