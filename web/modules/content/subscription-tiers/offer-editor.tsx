import { createOffer, listOwnOffers } from '@stagedoor/contract/content/subscription-offers.ts';
import { OFFER_AUDIENCES, type OfferAudience, type OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { OFFER_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioRows } from '../../../ui/choice.tsx';
import { SidePanelFoot } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { LocalTimeField } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { useNow } from '../../../ui/use-now.ts';
import { DraftPanel } from './draft-panel.tsx';
import { createOfferDraft, findOfferErrors, toOfferBody } from './offer-draft.ts';
import { OfferResult } from './offer-result.tsx';
import * as texts from './texts.ts';
import { useDraft } from './use-draft.ts';

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

export function OfferEditor({ tiers, onClose }: { tiers: readonly OwnTier[]; onClose: () => void }) {
  const client = useQueryClient();
  const zone = getOwnZone();
  const { draft, errors, isDirty, change, submit, setServerErrors } = useDraft(
    () => createOfferDraft(Date.now(), zone),
    (current) => findOfferErrors(current, zone),
  );
  const create = useApiMutation(createOffer, {
    showErrorMessage: false,
    onSuccess: (response) => {
      client.setQueryData(apiQuery(listOwnOffers, {}).queryKey, response);
      void showToast(texts.offerCreatedToast, 'success');
      onClose();
    },
    onError: (error) => setServerErrors(error instanceof ApiError ? error.fields : {}),
  });
  const now = useNow(true);
  const paidTiers = tiers.filter(({ isFree }) => !isFree);
  const hasFieldErrors = Object.keys(errors).length > 0;
  return (
    <DraftPanel
      title={texts.newOffer}
      isDirty={isDirty}
      isSaving={create.isPending}
      discardLead={texts.discardOfferLead}
      onClose={onClose}
      onSubmit={(event) =>
        submit(event, () => {
          if (!create.isPending) create.mutate({ body: toOfferBody(draft, zone) });
        })
      }
    >
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
          onValueChange={(value) => change({ audience: OFFER_AUDIENCES.find((each) => each === value) ?? 'everyone' })}
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
        {create.error && !hasFieldErrors && <InlineError message={create.error.message} className="pb-3" />}
        <Button type="submit" variant="primary" size="lg" wide busy={create.isPending} busyText={texts.saving}>
          {texts.createOffer}
        </Button>
      </SidePanelFoot>
    </DraftPanel>
  );
}
