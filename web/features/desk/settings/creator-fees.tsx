/** Creators with an individual fee, each editable in its row. Other creators are found by name. */
import { listAudit } from '@stagedoor/contract/audit.ts';
import {
  type CreatorFee,
  feePercent,
  listCreatorFees,
  listFeeChanges,
  type OwnFee,
  setCreatorFee,
} from '@stagedoor/contract/fees-desk.ts';
import { type FormEvent, useState } from 'react';
import { readPrice, writePrice } from '../../../kernel/price.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { isGround, WHY } from './draft.tsx';

export const creatorFeesQuery = (search: string | undefined) =>
  apiInfiniteQuery(listCreatorFees, { query: { limit: 10, ...(search !== undefined && { search }) } });

type Typed = { generalFee: string; offerFee: string; firstDay: string; lastDay: string; ground: string };

const typedOf = ({ generalFee, offer }: OwnFee): Typed => ({
  generalFee: generalFee === null ? '' : writePrice(generalFee),
  offerFee: offer === null ? '' : writePrice(offer.fee),
  firstDay: offer?.firstDay ?? '',
  lastDay: offer?.lastDay ?? '',
  ground: '',
});

/** Parses the typed individual fee and returns errors by field. Empty means the platform's fee. */
function readOwn({ generalFee, offerFee, firstDay, lastDay }: Typed) {
  const general = generalFee.trim() === '' ? undefined : readPrice(feePercent, generalFee);
  const offer = offerFee.trim() === '' ? undefined : readPrice(feePercent, offerFee);
  const to: OwnFee = {
    generalFee: general ? general.usd : null,
    offer: offer ? { fee: offer.usd, firstDay: firstDay || null, lastDay } : null,
  };
  const wrong = {
    generalFee: general?.complaint,
    offerFee: offer?.complaint ?? (!offer && (firstDay || lastDay) ? 'Enter the offer fee' : undefined),
    lastDay: offer && lastDay === '' ? 'Enter the last day' : undefined,
  };
  return { to, wrong, isSound: Object.values(wrong).every((complaint) => complaint === undefined) };
}

function OwnFeeForm({ fee: { creator, own } }: { fee: CreatorFee }) {
  const [typed, setTyped] = useState(() => typedOf(own));
  const save = useDeskAct(setCreatorFee, {
    forget: [listCreatorFees, listFeeChanges, listAudit],
    done: ({ effectiveFee }) => `Saved. We keep ${effectiveFee}% of what @${creator.username} sells from now on.`,
    onDone: ({ own: now }) => setTyped(typedOf(now)),
  });
  const { to, wrong, isSound } = readOwn(typed);
  const isChanged = JSON.stringify(to) !== JSON.stringify(own);
  const mayNow = isSound && isChanged && isGround(typed.ground);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (mayNow) save.send({ params: { id: creator.id }, body: { from: own, to, ground: typed.ground } });
  };
  const field = (name: keyof Typed, complaint?: string) => ({
    value: typed[name],
    autoComplete: 'off',
    ...(complaint !== undefined && { error: complaint }),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  if (!save.may) return null;
  return (
    <form className="grid gap-5 pt-5" onSubmit={send} aria-label={`Fee of @${creator.username}`}>
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        <TextField
          label="Custom standard fee"
          hint="Percent. Leave empty for the default."
          inputMode="decimal"
          {...field('generalFee', wrong.generalFee)}
        />
        <TextField
          label="Custom offer fee"
          hint="Percent. Replaces the newcomer offer. Leave empty for none."
          inputMode="decimal"
          {...field('offerFee', wrong.offerFee)}
        />
        <TextField label="First day" hint="UTC. Leave empty to start now." type="date" {...field('firstDay')} />
        <TextField label="Last day" hint="UTC, inclusive" type="date" {...field('lastDay', wrong.lastDay)} />
      </div>
      {isChanged && <TextField {...WHY} required maxLength={WHY.maxLength} {...field('ground')} />}
      {save.error !== undefined && <Refusal message={save.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="ink" disabled={!mayNow} busy={save.isPending} busyText="Saving…">
          Save fee
        </Button>
        {isChanged && (
          <Button variant="quiet" onClick={() => setTyped(typedOf(own))}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}

function offerWords({ offer }: OwnFee): string {
  if (offer === null) return 'No custom offer';
  return `${offer.fee}%${offer.firstDay === null ? '' : ` from ${offer.firstDay}`} until ${offer.lastDay}`;
}

export function CreatorFeeRows({ fees }: { fees: readonly CreatorFee[] }) {
  return (
    <Entries label="Creator fees">
      {fees.map((fee) => {
        const { creator, own, effectiveFee } = fee;
        const isOwn = own.generalFee !== null || own.offer !== null;
        return (
          <Entry
            key={creator.id}
            lead={<Avatar name={creator.name} src={null} />}
            title={creator.name}
            sub={`@${creator.username}`}
            amount={`${effectiveFee}%`}
            word={isOwn ? 'Custom' : 'Default'}
          >
            <FactList
              facts={[
                { name: 'Standard fee', value: own.generalFee === null ? 'Default' : `${own.generalFee}%` },
                { name: 'Offer', value: offerWords(own) },
                { name: 'Current fee', value: `${effectiveFee}%` },
              ]}
            />
            <OwnFeeForm key={JSON.stringify(own)} fee={fee} />
          </Entry>
        );
      })}
    </Entries>
  );
}
