import { createOffer, listOwnOffers } from '@stagedoor/contract/content/subscription-offers.ts';
import { OFFER_AUDIENCES, type OfferAudience, type OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { OFFER_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioRows } from '../../../ui/choice.tsx';
import { ConfirmDialog, SidePanel, SidePanelFoot } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { LocalTimeField } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { useNow } from '../../../ui/use-now.ts';
import { createOfferDraft, findOfferErrors, type OfferDraft, type OfferErrors, toOfferBody } from './offer-draft.ts';
import { OfferResult } from './offer-result.tsx';
import * as texts from './texts.ts';

const { codeLength, percent, periods, usesMax, daysMax } = OFFER_LIMITS;
export const AUDIENCE_LABELS: Readonly<Record<OfferAudience, string>> = {
  everyone: texts.forEveryone,
  new: texts.forNew,
  returning: texts.forReturning,
};
const AUDIENCE_HINTS: Readonly<Record<OfferAudience, string>> = {
  everyone: texts.forEveryoneHint,
  new: texts.forNewHint,
  returning: texts.forReturningHint,
};

function useOfferDraft(onSaved: () => void) {
  const client = useQueryClient();
  const zone = getOwnZone();
  const [initial] = useState(() => createOfferDraft(Date.now(), zone));
  const [draft, setDraft] = useState(initial);
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const [refusals, setRefusals] = useState<OfferErrors>({});
  const create = useApiMutation(createOffer, {
    showErrorMessage: false,
    onSuccess: (response) => {
      client.setQueryData(apiQuery(listOwnOffers, {}).queryKey, response);
      void showToast(texts.offerCreatedToast, 'success');
      onSaved();
    },
    onError: (error) => setRefusals(error instanceof ApiError ? error.fields : {}),
  });
  return {
    draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(initial),
    isSaving: create.isPending,
    error: create.error,
    errors: hasSubmitted ? { ...refusals, ...findOfferErrors(draft, zone) } : refusals,
    change: (part: Partial<OfferDraft>) => {
      setRefusals({});
      setDraft({ ...draft, ...part });
    },
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      setHasSubmitted(true);
      if (create.isPending) return;
      if (Object.keys(findOfferErrors(draft, zone)).length > 0) {
        const form = event.currentTarget;
        // The fields are marked when the errors are rendered.
        requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
        return;
      }
      create.mutate({ body: toOfferBody(draft, zone) });
    },
  };
}

export function OfferEditor({ tiers, onClose }: { tiers: readonly OwnTier[]; onClose: () => void }) {
  const { draft, errors, error, isDirty, isSaving, change, submit } = useOfferDraft(onClose);
  const [isPrompting, setIsPrompting] = useState(false);
  const now = useNow(true);
  useUnsavedChanges(isDirty, isSaving);
  const paidTiers = tiers.filter(({ isFree }) => !isFree);
  const hasFieldErrors = Object.keys(errors).length > 0;
  return (
    <SidePanel
      open
      onOpenChange={(isOpen) => {
        if (isOpen || isSaving) return;
        if (isDirty) setIsPrompting(true);
        else onClose();
      }}
      title={texts.newOffer}
    >
      <form noValidate onSubmit={submit}>
        <TextField
          label={texts.offerCode}
          placeholder={texts.offerCodePlaceholder}
          hint={formatText(texts.offerCodeHint, codeLength)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={codeLength.max}
          required
          value={draft.code}
          error={errors.code}
          onChange={(event) => change({ code: event.currentTarget.value.toUpperCase() })}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <IntegerField
            label={texts.offerPercent}
            hint={formatText(texts.numberRange, percent)}
            maxLength={3}
            required
            value={draft.percentOff}
            error={errors.percentOff}
            onChange={(event) => change({ percentOff: event.currentTarget.value })}
          />
          <IntegerField
            label={texts.offerPeriods}
            hint={formatText(texts.numberRange, periods)}
            maxLength={3}
            required
            value={draft.periods}
            error={errors.periods}
            onChange={(event) => change({ periods: event.currentTarget.value })}
          />
        </div>
        {paidTiers.length > 1 && (
          <SelectField
            label={texts.offerTier}
            value={draft.tierId}
            error={errors.tierId}
            options={[
              { value: '', label: texts.allPaidTiers },
              ...paidTiers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => change({ tierId: tiers.find(({ id }) => id === event.currentTarget.value)?.id ?? '' })}
          />
        )}
        <div>
          <p className="field__label" id="offer-audience">
            {texts.offerAudience}
          </p>
          <RadioRows
            plain
            name="audience"
            labelledBy="offer-audience"
            value={draft.audience}
            choices={OFFER_AUDIENCES.map((each) => ({
              value: each,
              title: AUDIENCE_LABELS[each],
              sub: AUDIENCE_HINTS[each],
            }))}
            onValueChange={(value) =>
              change({ audience: OFFER_AUDIENCES.find((each) => each === value) ?? 'everyone' })
            }
          />
        </div>
        <IntegerField
          label={texts.offerUses}
          hint={texts.offerUsesHint}
          maxLength={String(usesMax).length + 1}
          value={draft.maxUses}
          error={errors.maxUses}
          onChange={(event) => change({ maxUses: event.currentTarget.value })}
        />
        <LocalTimeField
          label={texts.offerEnd}
          required
          value={draft.until}
          now={now}
          maxDays={daysMax}
          error={errors.endsAt}
          onChange={(until) => change({ until })}
        />
        <SidePanelFoot>
          <OfferResult draft={draft} paidTiers={paidTiers} />
          {error && !hasFieldErrors && <InlineError message={error.message} className="pb-3" />}
          <Button type="submit" variant="primary" size="lg" wide busy={isSaving} busyText={texts.saving}>
            {texts.createOffer}
          </Button>
        </SidePanelFoot>
      </form>
      <ConfirmDialog
        open={isPrompting}
        onOpenChange={setIsPrompting}
        title={texts.discardTitle}
        lead={texts.discardOfferLead}
        confirmText={texts.discard}
        cancelText={texts.keepEditing}
        danger
        onConfirm={onClose}
      />
    </SidePanel>
  );
}
