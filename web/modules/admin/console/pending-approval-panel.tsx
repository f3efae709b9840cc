/**
 * An operator's request that a second operator confirms. Any operator can refuse it, and the requester can withdraw it.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useState } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { isValidReason, REASON_FIELD } from './settings/numbers-form.tsx';
import * as texts from './texts.ts';

export type ApprovalDecision = 'confirm' | 'refuse';

export function RequestReason({ reason, at }: { reason: string; at: string }) {
  return (
    <p className="text-small text-muted wrap-anywhere">
      “<bdi>{reason}</bdi>” <span className="num">{formatExactTime(at)}</span>
    </p>
  );
}

interface PendingApprovalPanelProps {
  name: string;
  summary: ReactNode;
  request: { reason: string; at: string };
  /** The rule that applies until the request is decided. */
  note: string;
  children?: ReactNode;
  isOwn: boolean;
  confirmText: string;
  busyText: string;
  action: { isAllowed: boolean; error?: string | undefined; isPending: boolean };
  onDecide: (decision: ApprovalDecision, reason: string) => void;
}

export function PendingApprovalPanel({
  name,
  summary,
  request,
  note,
  children,
  isOwn,
  confirmText,
  busyText,
  action,
  onDecide,
}: PendingApprovalPanelProps) {
  const [reason, setReason] = useState('');
  return (
    <section
      aria-label={formatText(texts.awaitingSecondApproval, { name })}
      className="grid gap-4 rounded-lg border border-line p-4 sm:p-5"
    >
      <p className="font-semibold wrap-anywhere">{summary}</p>
      <RequestReason {...request} />
      <p className="text-small">{note}</p>
      {children}
      {action.isAllowed && (
        <>
          <TextField
            {...REASON_FIELD}
            required
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {action.error !== undefined && <InlineError message={action.error} />}
          <div className="flex flex-wrap gap-3">
            {!isOwn && (
              <Button
                variant="primary"
                disabled={!isValidReason(reason)}
                busy={action.isPending}
                busyText={busyText}
                onClick={() => onDecide('confirm', reason)}
              >
                {confirmText}
              </Button>
            )}
            <Button disabled={!isValidReason(reason) || action.isPending} onClick={() => onDecide('refuse', reason)}>
              {isOwn ? texts.withdraw : texts.reject}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
