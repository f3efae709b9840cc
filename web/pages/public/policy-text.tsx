import { PUBLIC_PATHS, policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { getPolicy, PolicySection } from '@stagedoor/contract/trust/legal.ts';
import type { ReactNode } from 'react';
import { formatExactTime } from '../../platform/dates.ts';
import { type ArticleSection, PriceTable } from './marketing-parts.tsx';
import * as texts from './texts.ts';

export type PolicyView = ResponseOf<typeof getPolicy>;

/** Formats a day, such as "23 Nov 2026". */
export const formatPolicyDay = (day: string): string => formatExactTime(day).split(',')[0] ?? day;

const OWN_PATHS = new Set<string>([
  ...Object.values(PUBLIC_PATHS),
  CASE_PATHS.contactUs,
  CASE_PATHS.complaints,
  CASE_PATHS.copyrightNotice,
]);
const PATH_PATTERN = /((?:\/[a-z0-9-]+)+)/g;

export function LinkedText({ text }: { text: string }): ReactNode {
  return text.split(PATH_PATTERN).map((part, index) =>
    OWN_PATHS.has(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change their order
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function SectionText({ paragraphs, points, table }: PolicySection) {
  return (
    <>
      <div className="leaf__text">
        {paragraphs.map((text) => (
          <p key={text}>
            <LinkedText text={text} />
          </p>
        ))}
        {points.length > 0 && (
          <ul>
            {points.map((text) => (
              <li key={text}>
                <LinkedText text={text} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {table && (
        <div className="pt-5">
          <PriceTable isText caption={table.columns.join(', ')} head={table.columns} rows={table.rows} />
        </div>
      )}
    </>
  );
}

export function VersionList({
  policy: { key, version, versions },
}: {
  policy: Pick<PolicyView, 'key' | 'version' | 'versions'>;
}) {
  return (
    <ul className="lines">
      {versions.map((entry, index) => (
        <li key={entry.version} className="grid gap-1 py-3">
          <a
            className="link flex min-h-11 items-center justify-self-start"
            href={policyPath(key, index === 0 ? undefined : entry.version)}
            aria-current={entry.version === version ? 'page' : undefined}
          >
            {formatPolicyDay(entry.version)}
            {index === 0 && texts.currentVersionMark}
          </a>
          <span className="text-muted">{entry.changes}</span>
        </li>
      ))}
    </ul>
  );
}

export function toPolicySections(policy: PolicyView): ArticleSection[] {
  return [
    ...policy.sections.map((section) => ({
      id: section.id,
      title: section.title,
      children: <SectionText {...section} />,
    })),
    { id: 'versions', title: texts.versions, children: <VersionList policy={policy} /> },
  ];
}
