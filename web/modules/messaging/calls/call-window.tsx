import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { isolateText } from '../../../platform/bidi.ts';
import { useBackToClose } from '../../../ui/back-to-close.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CALL_KIND_LABELS } from './call-labels.ts';
import { dispatchCallAction } from './session.ts';
import * as texts from './texts.ts';
import { useInertBackground } from './use-inert-background.ts';

const minimizeCall = () => dispatchCallAction({ type: 'small', isMinimized: true });

/** Minimizes the call when another page opens behind it, so that the user sees where they are. */
function useMinimizeOnNavigation(): void {
  const { key } = useLocation();
  const firstKey = useRef(key);
  const navigationType = useNavigationType();
  const handleNavigation = useEffectEvent((current: string) => {
    if (current !== firstKey.current && navigationType !== 'REPLACE') minimizeCall();
  });
  useEffect(() => handleNavigation(key), [key]);
}

/**
 * The full-window view of a call. It makes the page behind it inert and takes the focus. The call layer restores the
 * focus. Back minimizes it.
 */
export function CallWindow({
  call,
  hasChat,
  isAlone,
  children,
}: {
  call: OpenCall;
  hasChat: boolean;
  isAlone: boolean;
  children: ReactNode;
}) {
  const windowRef = useRef<HTMLDivElement>(null);
  useInertBackground();
  useBackToClose(true, minimizeCall);
  useMinimizeOnNavigation();
  useEffect(() => windowRef.current?.focus(), []);
  return (
    <div
      ref={windowRef}
      data-call=""
      data-chat={hasChat ? '' : undefined}
      data-wide={isAlone ? '' : undefined}
      className="call"
      role="dialog"
      aria-modal="true"
      tabIndex={-1}
      aria-label={formatText(texts.callKindWithUser, {
        callKind: CALL_KIND_LABELS[call.kind],
        name: isolateText(call.other.name),
      })}
    >
      {children}
    </div>
  );
}

export function MinimizeButton() {
  return <IconButton icon="shrink" label={texts.minimize} onClick={minimizeCall} />;
}
