/** The actions of a list row. Their shortcut keys work only inside the row. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { ActionPanel, type ActionPanelProps, type RecordAction, useRecordActions } from '../../../ui/record.tsx';
import * as texts from './texts.ts';

export function EntryActions<T extends string>({
  actions,
  ...panel
}: { actions: readonly RecordAction<T>[] } & Omit<ActionPanelProps<T>, 'state' | 'children'>) {
  const actionState = useRecordActions(actions);
  if (actions.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys in addition to the controls, which do the same
    <div className="max-w-120 pt-5" onKeyDown={actionState.onKeyDown}>
      <ActionPanel state={actionState} {...panel} />
    </div>
  );
}

/** `operator` is null for a command on the server. */
export type PastDecision = {
  key: string;
  label: string;
  operator: string | null;
  reason: string;
  detail?: string | undefined;
};

/** Past decisions with operator and reason. */
export function PastDecisions({ title, lines }: { title: string; lines: readonly PastDecision[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="pt-4">
      <p className="case-head">{title}</p>
      <ul className="grid gap-2 text-small">
        {lines.map(({ key, label, operator, reason, detail }) => (
          <li key={key} className="wrap-anywhere">
            <span className="font-semibold">{label}</span>
            <span className="text-muted">
              {operator === null ? texts.viaCli : formatText(texts.byOperator, { operator })}
            </span>
            <span className="block">
              “<bdi>{reason}</bdi>”
            </span>
            {detail !== undefined && <span className="block text-muted">{detail}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
