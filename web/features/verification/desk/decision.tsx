import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import {
  type DocumentKind,
  type DocumentType,
  decideVerification,
  VERIFICATION_DECISIONS,
} from '@stagedoor/contract/verification.ts';
import { useId } from 'react';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { askForProof, isProofAsked } from '../../../kernel/operator.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { nameOf } from '../words.ts';
import { DECISIONS, type Decision, offersFor, type Refusing, TOLD } from './reasons.ts';

export type Draft = { decision?: Decision | undefined; reasons: Partial<Record<DocumentKind, string>> };

const LEAST_REASON = 3;

export function rejectedOf({ decision, reasons }: Draft, kinds: readonly DocumentKind[]) {
  if (decision === undefined || decision === 'verify') return [];
  return kinds.flatMap((kind) => {
    const reason = reasons[kind]?.trim();
    return reason === undefined ? [] : [{ kind, reason }];
  });
}

/** Changing the decision clears the reasons, because each decision has its own. */
export const decided = (draft: Draft, decision: Decision): Draft =>
  draft.decision === decision ? draft : { decision, reasons: {} };

type WhyProps = {
  name: string;
  kind: DocumentKind;
  decision: Refusing;
  reason: string | undefined;
  onChange: (reason: string | undefined) => void;
};

function Why({ name, kind, decision, reason, onChange }: WhyProps) {
  const offers = offersFor(kind, decision);
  const isOwn = reason !== undefined && !offers.includes(reason);
  return (
    <div>
      <Checkbox
        checked={reason !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? offers[0] : undefined)}
      >
        {name}
      </Checkbox>
      {reason !== undefined && (
        <div className="grid gap-3 pb-3">
          <SelectField
            label={`Reason: ${name}`}
            value={isOwn ? '' : reason}
            options={[...offers.map((value) => ({ value, label: value })), { value: '', label: 'In your own words' }]}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {isOwn && (
            <TextField
              label="In your own words"
              hint="The creator sees this."
              counter={VERIFICATION.reasonLength}
              value={reason}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Told({
  draft,
  decision,
  kinds,
  type,
}: {
  draft: Draft;
  decision: Decision;
  kinds: readonly DocumentKind[];
  type: DocumentType;
}) {
  return (
    <div>
      <p className="case-head">Message preview</p>
      <div className="case-told" aria-live="polite">
        <p>{TOLD[decision]}</p>
        {rejectedOf(draft, kinds).map(({ kind, reason }) => (
          <p key={kind}>
            {nameOf(kind, type)}: <bdi>{reason}</bdi>
          </p>
        ))}
      </div>
    </div>
  );
}

export interface DecisionPanelProps {
  creatorId: string;
  kinds: readonly DocumentKind[];
  type: DocumentType;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** `over`: another operator decided in the meantime. */
  onDecided: (outcome: Decision | 'over') => void;
}

export function DecisionPanel({ creatorId, kinds, type, draft, onChange, onDecided }: DecisionPanelProps) {
  const name = useId();
  const act = useApiMutation(decideVerification, { showErrorMessage: false });
  const { decision } = draft;
  const rejected = rejectedOf(draft, kinds);
  const isComplete =
    decision === 'verify' ||
    (rejected.length > 0 &&
      rejected.every(({ reason }) => reason.length >= LEAST_REASON && reason.length <= VERIFICATION.reasonLength));
  const send = () => {
    if (!decision || !isComplete) return;
    act.mutate(
      { params: { id: creatorId }, body: { decision, rejected } },
      {
        onSuccess: () => onDecided(decision),
        onError: (error) => {
          if (isProofAsked(error)) askForProof(send);
          else if ('code' in error && error.code === 'CONFLICT') onDecided('over');
        },
      },
    );
  };
  return (
    <>
      <fieldset>
        <legend className="case-head">Decide</legend>
        {VERIFICATION_DECISIONS.map((each) => (
          <label key={each} className="case-choice">
            <input
              type="radio"
              className="dot"
              name={name}
              checked={decision === each}
              onChange={() => onChange(decided(draft, each))}
            />
            <span>{DECISIONS[each].words}</span>
            <kbd>{DECISIONS[each].key}</kbd>
          </label>
        ))}
      </fieldset>
      {decision && decision !== 'verify' && (
        <fieldset>
          <legend className="case-head">Documents and reasons</legend>
          {kinds.map((kind) => (
            <Why
              key={kind}
              name={nameOf(kind, type)}
              kind={kind}
              decision={decision}
              reason={draft.reasons[kind]}
              onChange={(reason) => {
                const { [kind]: _, ...others } = draft.reasons;
                onChange({ decision, reasons: reason === undefined ? others : { ...others, [kind]: reason } });
              }}
            />
          ))}
        </fieldset>
      )}
      {decision && <Told draft={draft} decision={decision} kinds={kinds} type={type} />}
      {act.error && <Refusal message={act.error.message} />}
      <Button variant="primary" wide disabled={!isComplete} busy={act.isPending} busyText="Sending…" onClick={send}>
        {decision ? DECISIONS[decision].button : 'Select an option'}
      </Button>
      <p className="text-small text-muted">Views and decisions are recorded in the audit log.</p>
    </>
  );
}
