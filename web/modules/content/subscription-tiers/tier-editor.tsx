import { createTier, listOwnTiers, type OwnTier, updateTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SUBSCRIPTION_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, calculatePercent, formatCents, formatUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented, Switch } from '../../../ui/choice.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SidePanelFoot } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { BenefitFields } from './benefit-fields.tsx';
import { DeleteTierDialog } from './delete-dialog.tsx';
import { DraftPanel } from './draft-panel.tsx';
import { findMainOption, formatSubscribers, RECURRENCE_UNITS } from './labels.ts';
import { BundleFields, PriceFields } from './price-fields.tsx';
import * as texts from './texts.ts';
import {
  comparePrices,
  findTierErrors,
  NEW_TIER,
  nameErrors,
  type TierDraft,
  toPreview,
  toTierBody,
  toTierDraft,
} from './tier-draft.ts';
import { TierPreview } from './tier-preview.tsx';
import { type FieldErrors, useDraft } from './use-draft.ts';

const { slotsMax } = SUBSCRIPTION_LIMITS;

function useTierEditor({ tier, onClose }: EditorProps) {
  const client = useQueryClient();
  const { setServerErrors, submit, ...form } = useDraft(() => (tier ? toTierDraft(tier) : NEW_TIER), findTierErrors);
  const { draft } = form;
  const options = {
    showErrorMessage: false,
    onSuccess: (response: ResponseOf<typeof listOwnTiers>) => {
      client.setQueryData(apiQuery(listOwnTiers, {}).queryKey, response);
      void showToast(tier ? texts.savedToast : texts.createdToast, 'success');
      onClose();
    },
    onError: (error: Error) => setServerErrors(error instanceof ApiError ? nameErrors(error.fields, draft) : {}),
  };
  const create = useApiMutation(createTier, options);
  const update = useApiMutation(updateTier, options);
  const isSaving = create.isPending || update.isPending;
  const save = () => {
    if (isSaving) return;
    if (tier) update.mutate({ params: { id: tier.id }, body: toTierBody(draft) });
    else create.mutate({ body: toTierBody(draft) });
  };
  return {
    ...form,
    isSaving,
    error: create.error ?? update.error,
    submit: (event: FormEvent<HTMLFormElement>) => submit(event, save),
  };
}

const PRICE_CHANGES = { raised: texts.raised, lowered: texts.lowered, both: texts.both } as const;

/** What saving means for the subscribers that a tier has. */
function Consequence({ tier, draft }: { tier: OwnTier | undefined; draft: TierDraft }) {
  if (!tier || tier.subscriberCount === 0) return null;
  const subscribers = formatSubscribers(tier.subscriberCount);
  const priceChange = comparePrices(tier, draft);
  const isClosing = tier.isOpen && !draft.isOpen;
  return (
    <div className="pb-3 text-small" role="status">
      {priceChange !== 'none' && <p>{formatText(PRICE_CHANGES[priceChange], { subscribers })}</p>}
      {isClosing && <p>{formatText(texts.closing, { subscribers })}</p>}
    </div>
  );
}

function Result({ draft, feePercent }: { draft: TierDraft; feePercent: number }) {
  const main = findMainOption(toPreview(draft));
  if (!main) return null;
  const unit = RECURRENCE_UNITS[main.recurrence];
  const gross = toCents(main.price);
  const fee = calculatePercent(gross, feePercent);
  return (
    <PriceSummary
      live
      className="pb-2 max-md:[&>div:last-child]:m-0 max-md:[&>div:last-child]:border-0 max-md:[&>div:last-child]:p-0 max-md:[&>div:not(:last-child)]:hidden"
      items={[
        { name: formatText(texts.fansPay, { unit }), value: formatUsd(main.price) },
        { name: formatText(texts.fee, { percent: feePercent }), value: formatCents(-fee) },
      ]}
      total={{ name: formatText(texts.yours, { unit }), value: formatCents(asCents(gross - fee)) }}
    />
  );
}

type EditorProps = {
  /** Undefined for a new tier. */
  tier: OwnTier | undefined;
  tiers: readonly OwnTier[];
  onClose: () => void;
};

function TermsFields({
  tier,
  draft,
  errors,
  change,
}: Pick<EditorProps, 'tier'> & {
  draft: TierDraft;
  errors: FieldErrors;
  change: (part: Partial<TierDraft>) => void;
}) {
  const { trialDaysMax } = useApi(listOwnTiers, {});
  const subscriberCount = tier?.subscriberCount ?? 0;
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        {!draft.isFree && (
          <IntegerField
            label={texts.trial}
            maxLength={3}
            value={draft.trialDays}
            error={errors.trialDays}
            hint={formatText(texts.trialHint, { max: trialDaysMax })}
            onChange={(event) => change({ trialDays: event.currentTarget.value })}
          />
        )}
        <IntegerField
          label={texts.slots}
          maxLength={String(slotsMax).length + 1}
          value={draft.slots}
          error={errors.slots}
          hint={
            subscriberCount > 0
              ? formatText(texts.slotsTaken, { count: subscriberCount.toLocaleString('en-US') })
              : texts.slotsHint
          }
          onChange={(event) => change({ slots: event.currentTarget.value })}
        />
      </div>
      <Switch
        row
        label={texts.open}
        hint={texts.openHint}
        checked={draft.isOpen}
        onChange={(event) => change({ isOpen: event.currentTarget.checked })}
      />
      <TextAreaField
        label={texts.welcomeMessage}
        hint={texts.welcomeMessageHint}
        counter={CHAT_LIMITS.textLength}
        value={draft.welcomeMessage}
        error={errors.welcomeMessage}
        onChange={(event) => change({ welcomeMessage: event.currentTarget.value })}
      />
    </>
  );
}

function TypeChoice({
  tier,
  isFree,
  change,
}: Pick<EditorProps, 'tier'> & { isFree: boolean; change: (part: Partial<TierDraft>) => void }) {
  const isInUse = (tier?.subscriberCount ?? 0) > 0;
  return (
    <div>
      <Segmented
        name="type"
        label={texts.price}
        value={isFree ? 'free' : 'paid'}
        options={[
          { value: 'paid', label: texts.paid, disabled: isInUse && isFree },
          { value: 'free', label: texts.free, disabled: isInUse && !isFree },
        ]}
        onValueChange={(value) => change({ isFree: value === 'free' })}
      />
      {isInUse && <p className="pt-2 text-small text-muted">{texts.typeInUse}</p>}
    </div>
  );
}

export function TierEditor(props: EditorProps) {
  const { tier, tiers, onClose } = props;
  const { effectiveFee } = useApi(getCreatorFees, {});
  const { draft, errors, error, isDirty, isSaving, change, submit } = useTierEditor(props);
  const [isDeleting, setIsDeleting] = useState(false);
  const hasFieldErrors = Object.keys(errors).length > 0;
  const position = tier?.position ?? tiers.length + 1;
  const includedName = tiers.find((each) => each.position === position - 1)?.name;
  return (
    <DraftPanel
      step={
        tier &&
        formatText(texts.tierPosition, {
          position,
          count: tiers.length,
          subscribers: formatSubscribers(tier.subscriberCount),
        })
      }
      title={tier?.name ?? texts.newTier}
      isDirty={isDirty}
      isSaving={isSaving}
      discardLead={texts.discardLead}
      onClose={onClose}
      onSubmit={submit}
      dialogs={
        tier && <DeleteTierDialog tier={tier} open={isDeleting} onOpenChange={setIsDeleting} onDeleted={onClose} />
      }
    >
      <TextField
        label={texts.name}
        placeholder={texts.namePlaceholder}
        counter={SUBSCRIPTION_LIMITS.nameLength}
        required
        value={draft.name}
        error={errors.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <BenefitFields benefits={draft.benefits} errors={errors} onChange={(benefits) => change({ benefits })} />
      <div className="grid gap-4">
        <TypeChoice tier={tier} isFree={draft.isFree} change={change} />
        {!draft.isFree && <PriceFields {...{ draft, errors, change }} feePercent={effectiveFee} />}
      </div>
      {!draft.isFree && <BundleFields {...{ draft, errors, change }} />}
      <TermsFields {...{ tier, draft, errors, change }} />
      <section aria-labelledby="tier-preview">
        <h3 id="tier-preview" className="field__label pb-2">
          {texts.preview}
        </h3>
        <TierPreview tier={{ ...toPreview(draft), counts: tier, includedName }} />
      </section>
      {tier && (
        <Button
          variant="danger"
          icon="trash"
          className="justify-self-start self-start"
          onClick={() => setIsDeleting(true)}
        >
          {texts.deleteTier}
        </Button>
      )}
      <SidePanelFoot>
        <Result draft={draft} feePercent={effectiveFee} />
        <Consequence tier={tier} draft={draft} />
        {error && !hasFieldErrors && <InlineError message={error.message} className="pb-3" />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          disabled={!isDirty}
          busy={isSaving}
          busyText={texts.saving}
        >
          {tier ? texts.save : texts.create}
        </Button>
      </SidePanelFoot>
    </DraftPanel>
  );
}
