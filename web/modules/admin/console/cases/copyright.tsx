import type { CaseView } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { RecordSection } from '../../../../ui/record.tsx';
import * as texts from './texts.ts';

type NoticeParty = { name: string; address: string; telephone: string; signature: string };

const DELETED_TEXT = texts.deletedAfterRetentionPeriod;
const toDetails = ({ name, address, telephone, signature }: NoticeParty) => [
  { name: 'Name', value: <bdi>{name}</bdi> },
  {
    name: texts.postalAddress,
    value: (
      <span dir="auto" className="whitespace-pre-line wrap-anywhere">
        {address || DELETED_TEXT}
      </span>
    ),
  },
  { name: 'Telephone', value: telephone || DELETED_TEXT },
  { name: 'Signed', value: <bdi>{signature}</bdi> },
];

function Reference({
  linkedCase,
  currentCaseId,
}: {
  linkedCase: { caseId: string; reference: string };
  currentCaseId: string;
}) {
  if (linkedCase.caseId === currentCaseId) return <span className="num">{linkedCase.reference}</span>;
  return (
    <UiLink href={casePath(linkedCase.caseId)} className="underline underline-offset-4 num">
      {linkedCase.reference}
    </UiLink>
  );
}

/** States what the repeat infringer rule requires. Nothing happens automatically, because an operator decides. */
function formatStrikes(count: number): string {
  const countText = formatText(texts.noticesUpheld, {
    noticeCount: formatCount(count, 'notice'),
    strikeMonths: COPYRIGHT_LIMITS.strikeMonths,
  });
  return count < COPYRIGHT_LIMITS.strikes
    ? formatText(texts.strikePolicy, { countText, strikes: COPYRIGHT_LIMITS.strikes })
    : formatText(texts.strikePolicyReached, { countText });
}

export function CopyrightParts({ view }: { view: CaseView }) {
  const { notice, counter, strikes, id } = view;
  return (
    <>
      {strikes !== null && (
        <RecordSection title={texts.repeatInfringerStatus}>
          <p className={strikes >= COPYRIGHT_LIMITS.strikes ? 'font-semibold text-danger' : undefined}>
            {formatStrikes(strikes)}
          </p>
        </RecordSection>
      )}
      {counter && (
        <RecordSection title={texts.counterNotice}>
          <DefinitionList
            strong
            items={[
              { name: 'Reference', value: <Reference linkedCase={counter} currentCaseId={id} /> },
              { name: texts.earliestRestoreDate, value: formatLongDay(counter.restoreFrom) },
              { name: texts.automaticRestoreDate, value: formatLongDay(counter.restoreBy) },
              ...toDetails(counter),
            ]}
          />
        </RecordSection>
      )}
      {notice && (
        <RecordSection title={texts.notice}>
          <DefinitionList
            strong
            items={[
              { name: 'Reference', value: <Reference linkedCase={notice} currentCaseId={id} /> },
              ...toDetails(notice),
              { name: 'Email', value: <bdi className="wrap-anywhere">{notice.email || DELETED_TEXT}</bdi> },
            ]}
          />
        </RecordSection>
      )}
    </>
  );
}
