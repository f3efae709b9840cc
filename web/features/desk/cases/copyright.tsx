import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { casePath } from '@stagedoor/contract/case-addresses.ts';
import type { CaseView } from '@stagedoor/contract/cases-desk.ts';
import { plural } from '../../../kernel/dates.ts';
import { CasePart } from '../../../ui/case.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';

type Side = { name: string; address: string; telephone: string; signature: string };

const GONE = 'Deleted after retention period';
const factsOf = ({ name, address, telephone, signature }: Side) => [
  { name: 'Name', value: <bdi>{name}</bdi> },
  {
    name: 'Postal address',
    value: (
      <span dir="auto" className="whitespace-pre-line wrap-anywhere">
        {address || GONE}
      </span>
    ),
  },
  { name: 'Telephone', value: telephone || GONE },
  { name: 'Signed', value: <bdi>{signature}</bdi> },
];

function Reference({ of, here }: { of: { caseId: string; reference: string }; here: string }) {
  if (of.caseId === here) return <span className="num">{of.reference}</span>;
  return (
    <UiLink href={casePath(of.caseId)} className="underline underline-offset-4 num">
      {of.reference}
    </UiLink>
  );
}

/** States what the repeat infringer rule requires. Nothing happens automatically, because an operator decides. */
function strikeWords(count: number): string {
  const had = `${plural(count, 'notice')} upheld within ${COPYRIGHT.strikeMonths} months`;
  return count < COPYRIGHT.strikes
    ? `${had}. Policy: account closure at ${COPYRIGHT.strikes} strikes.`
    : `${had}: policy says close the account. No automatic action.`;
}

export function CopyrightParts({ view }: { view: CaseView }) {
  const { notice, counter, strikes, id } = view;
  return (
    <>
      {strikes !== null && (
        <CasePart title="Repeat infringer status">
          <p className={strikes >= COPYRIGHT.strikes ? 'font-semibold text-danger' : undefined}>
            {strikeWords(strikes)}
          </p>
        </CasePart>
      )}
      {counter && (
        <CasePart title="Counter-notice">
          <FactList
            strong
            facts={[
              { name: 'Reference', value: <Reference of={counter} here={id} /> },
              { name: 'Earliest restore date', value: dayWords(counter.restoreFrom) },
              { name: 'Automatic restore date', value: dayWords(counter.restoreBy) },
              ...factsOf(counter),
            ]}
          />
        </CasePart>
      )}
      {notice && (
        <CasePart title="Notice">
          <FactList
            strong
            facts={[
              { name: 'Reference', value: <Reference of={notice} here={id} /> },
              ...factsOf(notice),
              { name: 'Email', value: <bdi className="wrap-anywhere">{notice.email || GONE}</bdi> },
            ]}
          />
        </CasePart>
      )}
    </>
  );
}
