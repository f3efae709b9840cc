import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { PolicySection, readPolicy } from '@stagedoor/contract/policies.ts';
import { PUBLIC_PATHS, policyPath } from '@stagedoor/contract/public-addresses.ts';
import type { ReactNode } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { Fares, type LeafSection } from './parts.tsx';

export type Policy = ResponseOf<typeof readPolicy>;

/** Formats a day, such as "23 Nov 2026". */
export const dayWords = (day: string): string => formatExact(day).split(',')[0] ?? day;

const OURS = new Set<string>([
  ...Object.values(PUBLIC_PATHS),
  CASE_PATHS.contactUs,
  CASE_PATHS.complaints,
  CASE_PATHS.copyrightNotice,
]);
const ADDRESS = /((?:\/[a-z0-9-]+)+)/g;

export function Linked({ text }: { text: string }): ReactNode {
  return text.split(ADDRESS).map((part, index) =>
    OURS.has(part) ? (
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
            <Linked text={text} />
          </p>
        ))}
        {points.length > 0 && (
          <ul>
            {points.map((text) => (
              <li key={text}>
                <Linked text={text} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {table && (
        <div className="pt-5">
          <Fares isWords caption={table.columns.join(', ')} head={table.columns} rows={table.rows} />
        </div>
      )}
    </>
  );
}

export function VersionLines({
  policy: { key, version, versions },
}: {
  policy: Pick<Policy, 'key' | 'version' | 'versions'>;
}) {
  return (
    <ul className="lines">
      {versions.map((line, index) => (
        <li key={line.version} className="grid gap-1 py-3">
          <a
            className="link flex min-h-11 items-center justify-self-start"
            href={policyPath(key, index === 0 ? undefined : line.version)}
            aria-current={line.version === version ? 'page' : undefined}
          >
            {dayWords(line.version)}
            {index === 0 && ', current'}
          </a>
          <span className="text-muted">{line.changes}</span>
        </li>
      ))}
    </ul>
  );
}

export function sectionsOf(policy: Policy): LeafSection[] {
  return [
    ...policy.sections.map((section) => ({
      id: section.id,
      title: section.title,
      children: <SectionText {...section} />,
    })),
    { id: 'versions', title: 'Versions', children: <VersionLines policy={policy} /> },
  ];
}
