/** Months of joining in rows, shares of those who stay in cells. One grey darkens with the share. */
import {
  COHORT_MONTHS,
  getSubscriptionFigures,
  type SubscriptionFigures,
} from '@stagedoor/contract/finance/subscription-figures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useApi } from '../../../platform/query.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { formatMonth } from './labels.ts';
import * as texts from './texts.ts';

type Cohort = SubscriptionFigures['cohorts'][number];
const COLUMNS = COHORT_MONTHS - 1;

const toShade = (share: number) => ({
  background: `color-mix(in oklch, var(--bar) ${Math.round(share * 0.75)}%, var(--surface-1))`,
});

function getNextMonth(month: string): string {
  const next = new Date(`${month}-01`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return formatMonth(next.toISOString().slice(0, 7));
}

function CohortCells({ month, fanCount, shares }: Cohort) {
  const missing = COLUMNS - shares.length;
  const explanation =
    shares.length === 0 && fanCount > 0 ? formatText(texts.firstRenewals, { month: getNextMonth(month) }) : null;
  return (
    <>
      {shares.map((share, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a share has only its month
        <td key={index} className="num py-2 text-center" style={toShade(share)}>
          {formatText(texts.percent, { share })}
        </td>
      ))}
      {missing > 0 && (
        <td colSpan={missing} className="py-2 pl-3 text-muted">
          {explanation}
        </td>
      )}
    </>
  );
}

export function CohortTable() {
  const { cohorts } = useApi(getSubscriptionFigures, {});
  return (
    <section aria-labelledby="cohorts" className="min-w-0">
      <SectionHead id="cohorts" title={texts.stillSubscribed} end={texts.byMonthOfJoining} />
      {cohorts.length === 0 ? (
        <p className="text-muted">{texts.noCohorts}</p>
      ) : (
        <>
          <table className="-mx-0.5 w-[calc(100%+4px)] table-fixed border-separate border-spacing-0.5 text-small">
            <caption className="sr-only">{texts.cohortCaption}</caption>
            <thead>
              <tr className="text-muted">
                <th scope="col" className="py-1 text-left font-normal">
                  {texts.joined}
                </th>
                <th scope="col" className="py-1 text-center font-normal">
                  {texts.fans}
                </th>
                {Array.from({ length: COLUMNS }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column has only its number
                  <th key={index} scope="col" className="py-1 text-center font-normal whitespace-nowrap">
                    {index === 0 ? texts.firstMonth : index + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort) => (
                <tr key={cohort.month}>
                  <th scope="row" className="py-2 text-left font-semibold">
                    {formatMonth(cohort.month)}
                  </th>
                  <td className="num py-2 text-center text-muted">{cohort.fanCount.toLocaleString('en-US')}</td>
                  <CohortCells {...cohort} />
                </tr>
              ))}
            </tbody>
          </table>
          <p className="pt-2 text-small text-muted">{texts.cohortHint}</p>
        </>
      )}
    </section>
  );
}
