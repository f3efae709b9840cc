import {
  type DocumentKind,
  type DocumentType,
  decideVerification,
  VERIFICATION_DECISIONS,
} from '@stagedoor/contract/compliance/verification.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useId } from 'react';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { isStepUpRequired, requestStepUp } from '../../../../platform/operator.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/choice.tsx';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { getDocumentName } from '../verification-labels.ts';
import { CREATOR_MESSAGES, DECISIONS, type Decision, listReasons, type RefusingDecision } from './reasons.ts';
import * as texts from './texts.ts';

export type DecisionDraft = { decision?: Decision | undefined; reasons: Partial<Record<DocumentKind, string>> };

const MIN_REASON_LENGTH = 3;

export function listRejected({ decision, reasons }: DecisionDraft, kinds: readonly DocumentKind[]) {
  if (decision === undefined || decision === 'verify') return [];
  return kinds.flatMap((kind) => {
    const reason = reasons[kind]?.trim();
    return reason === undefined ? [] : [{ kind, reason }];
  });
}

/** Changing the decision clears the reasons, because each decision has its own. */
export const chooseDecision = (draft: DecisionDraft, decision: Decision): DecisionDraft =>
  draft.decision === decision ? draft : { decision, reasons: {} };

type RejectionReasonProps = {
  name: string;
  kind: DocumentKind;
  decision: RefusingDecision;
  reason: string | undefined;
  onChange: (reason: string | undefined) => void;
};

function RejectionReason({ name, kind, decision, reason, onChange }: RejectionReasonProps) {
  const suggestions = listReasons(kind, decision);
  const isCustom = reason !== undefined && !suggestions.includes(reason);
  return (
    <div>
      <Checkbox
        checked={reason !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? suggestions[0] : undefined)}
      >
        {name}
      </Checkbox>
      {reason !== undefined && (
        <div className="grid gap-3 pb-3">
          <SelectField
            label={formatText(texts.reasonFor, { documentName: name })}
            value={isCustom ? '' : reason}
            options={[
              ...suggestions.map((value) => ({ value, label: value })),
              { value: '', label: texts.customReason },
            ]}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {isCustom && (
            <TextField
              label={texts.customReason}
              hint={texts.creatorSeesThisHint}
              counter={VERIFICATION_LIMITS.reasonLength}
              value={reason}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            />
          )}
        </div>
      )}
    </div>
  );
}

function CreatorMessage({
  draft,
  decision,
  kinds,
  type,
}: {
  draft: DecisionDraft;
  decision: Decision;
  kinds: readonly DocumentKind[];
  type: DocumentType;
}) {
  return (
    <div>
      <p className="case-head">{texts.messagePreview}</p>
      <div className="case-told" aria-live="polite">
        <p>{CREATOR_MESSAGES[decision]}</p>
        {listRejected(draft, kinds).map(({ kind, reason }) => (
          <p key={kind}>
            {getDocumentName(kind, type)}: <bdi>{reason}</bdi>
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
  draft: DecisionDraft;
  onChange: (draft: DecisionDraft) => void;
  /** `over`: another operator decided in the meantime. */
  onDecided: (outcome: Decision | 'over') => void;
}

export function DecisionPanel({ creatorId, kinds, type, draft, onChange, onDecided }: DecisionPanelProps) {
  const name = useId();
  const decide = useApiMutation(decideVerification, { showErrorMessage: false });
  const { decision } = draft;
  const rejected = listRejected(draft, kinds);
  const isComplete =
    decision === 'verify' ||
    (rejected.length > 0 &&
      rejected.every(
        ({ reason }) => reason.length >= MIN_REASON_LENGTH && reason.length <= VERIFICATION_LIMITS.reasonLength,
      ));
  const send = () => {
    if (!decision || !isComplete) return;
    decide.mutate(
      { params: { id: creatorId }, body: { decision, rejected } },
      {
        onSuccess: () => onDecided(decision),
        onError: (error) => {
          if (isStepUpRequired(error)) requestStepUp(send);
          else if ('code' in error && error.code === 'CONFLICT') onDecided('over');
        },
      },
    );
  };
  return (
    <>
      <fieldset>
        <legend className="case-head">{texts.decide}</legend>
        {VERIFICATION_DECISIONS.map((each) => (
          <label key={each} className="case-choice">
            <input
              type="radio"
              className="dot"
              name={name}
              checked={decision === each}
              onChange={() => onChange(chooseDecision(draft, each))}
            />
            <span>{DECISIONS[each].label}</span>
            <kbd>{DECISIONS[each].key}</kbd>
          </label>
        ))}
      </fieldset>
      {decision && decision !== 'verify' && (
        <fieldset>
          <legend className="case-head">{texts.documentsAndReasons}</legend>
          {kinds.map((kind) => (
            <RejectionReason
              key={kind}
              name={getDocumentName(kind, type)}
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
      {decision && <CreatorMessage draft={draft} decision={decision} kinds={kinds} type={type} />}
      {decide.error && <InlineError message={decide.error.message} />}
      <Button
        variant="primary"
        wide
        disabled={!isComplete}
        busy={decide.isPending}
        busyText={texts.sending}
        onClick={send}
      >
        {decision ? DECISIONS[decision].button : texts.selectAnOption}
      </Button>
      <p className="text-small text-muted">{texts.auditLogNote}</p>
    </>
  );
}
