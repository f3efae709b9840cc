/** Creators with an individual fee, each editable in its row. Other creators are found by name. */
import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  type CreatorFee,
  type CustomFee,
  feePercent,
  listCreatorFees,
  listFeeChanges,
  updateCreatorFee,
} from '@stagedoor/contract/admin/fees.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type FormEvent, useState } from 'react';
import { formatPriceInput, parsePrice } from '../../../../platform/price.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { isValidReason, REASON_FIELD } from './numbers-form.tsx';
import * as texts from './texts.ts';

export const creatorFeesQuery = (search: string | undefined) =>
  apiInfiniteQuery(listCreatorFees, { query: { limit: 10, ...(search !== undefined && { search }) } });

type TypedFee = { generalFee: string; offerFee: string; firstDay: string; lastDay: string; reason: string };

const toTypedFee = ({ generalFee, offer }: CustomFee): TypedFee => ({
  generalFee: generalFee === null ? '' : formatPriceInput(generalFee),
  offerFee: offer === null ? '' : formatPriceInput(offer.fee),
  firstDay: offer?.firstDay ?? '',
  lastDay: offer?.lastDay ?? '',
  reason: '',
});

/** Parses the typed individual fee and returns errors by field. Empty means the platform's fee. */
function parseCustomFee({ generalFee, offerFee, firstDay, lastDay }: TypedFee) {
  const general = generalFee.trim() === '' ? undefined : parsePrice(feePercent, generalFee);
  const offer = offerFee.trim() === '' ? undefined : parsePrice(feePercent, offerFee);
  const to: CustomFee = {
    generalFee: general ? general.usd : null,
    offer: offer ? { fee: offer.usd, firstDay: firstDay || null, lastDay } : null,
  };
  const errors = {
    generalFee: general?.error,
    offerFee: offer?.error ?? (!offer && (firstDay || lastDay) ? texts.enterTheOfferFee : undefined),
    lastDay: offer && lastDay === '' ? texts.enterTheLastDay : undefined,
  };
  return { to, errors, isValid: Object.values(errors).every((fieldError) => fieldError === undefined) };
}

function CustomFeeForm({ fee: { creator, custom } }: { fee: CreatorFee }) {
  const [typed, setTyped] = useState(() => toTypedFee(custom));
  const save = useAdminAction(updateCreatorFee, {
    invalidates: [listCreatorFees, listFeeChanges, listAuditEntries],
    successMessage: ({ effectiveFee }) =>
      formatText(texts.creatorFeeSaved, { effectiveFee, username: creator.username }),
    onDone: ({ custom: updated }) => setTyped(toTypedFee(updated)),
  });
  const { to, errors, isValid } = parseCustomFee(typed);
  const isChanged = JSON.stringify(to) !== JSON.stringify(custom);
  const canSave = isValid && isChanged && isValidReason(typed.reason);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (canSave) save.send({ params: { id: creator.id }, body: { from: custom, to, reason: typed.reason } });
  };
  const field = (name: keyof TypedFee, fieldError?: string) => ({
    value: typed[name],
    autoComplete: 'off',
    ...(fieldError !== undefined && { error: fieldError }),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  if (!save.isAllowed) return null;
  return (
    <form
      className="grid gap-5 pt-5"
      onSubmit={send}
      aria-label={formatText(texts.userFee, { username: creator.username })}
    >
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        <TextField
          label={texts.customStandardFee}
          hint={texts.customStandardFeeHint}
          inputMode="decimal"
          {...field('generalFee', errors.generalFee)}
        />
        <TextField
          label={texts.customOfferFee}
          hint={texts.customOfferFeeHint}
          inputMode="decimal"
          {...field('offerFee', errors.offerFee)}
        />
        <TextField label={texts.firstDay} hint={texts.firstDayHint} type="date" {...field('firstDay')} />
        <TextField label={texts.lastDay} hint={texts.lastDayHint} type="date" {...field('lastDay', errors.lastDay)} />
      </div>
      {isChanged && <TextField {...REASON_FIELD} required maxLength={REASON_FIELD.maxLength} {...field('reason')} />}
      {save.error !== undefined && <InlineError message={save.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="ink" disabled={!canSave} busy={save.isPending} busyText={texts.saving}>
          {texts.saveFee}
        </Button>
        {isChanged && (
          <Button variant="quiet" onClick={() => setTyped(toTypedFee(custom))}>
            {texts.discard}
          </Button>
        )}
      </div>
    </form>
  );
}

function formatOffer({ offer }: CustomFee): string {
  if (offer === null) return texts.noCustomOffer;
  return formatText(texts.offerUntil, {
    fee: offer.fee,
    start: offer.firstDay === null ? '' : formatText(texts.offerStart, { firstDay: offer.firstDay }),
    lastDay: offer.lastDay,
  });
}

export function CreatorFeeRows({ fees }: { fees: readonly CreatorFee[] }) {
  return (
    <ExpandableRows label={texts.creatorFees}>
      {fees.map((fee) => {
        const { creator, custom, effectiveFee } = fee;
        const isCustom = custom.generalFee !== null || custom.offer !== null;
        return (
          <ExpandableRow
            key={creator.id}
            lead={<Avatar name={creator.name} src={null} />}
            title={creator.name}
            sub={`@${creator.username}`}
            amount={`${effectiveFee}%`}
            status={isCustom ? texts.custom : texts.defaultFee}
          >
            <DefinitionList
              items={[
                { name: texts.standardFee, value: custom.generalFee === null ? 'Default' : `${custom.generalFee}%` },
                { name: 'Offer', value: formatOffer(custom) },
                { name: texts.currentFee, value: `${effectiveFee}%` },
              ]}
            />
            <CustomFeeForm key={JSON.stringify(custom)} fee={fee} />
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
