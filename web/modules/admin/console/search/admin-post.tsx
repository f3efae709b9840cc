import { describePostDetails } from '@stagedoor/contract/content/post-details.ts';
import '../../../../ui/styles/case.css';
import { adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import { type AdminPost, getAdminPost, getAdminPostContent, openPostCase } from '@stagedoor/contract/admin/content.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { Button } from '../../../../ui/button.tsx';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { AdminCaseContent } from '../cases/case-content.tsx';
import { DecisionLines } from '../cases/case-user.tsx';
import { formatOpenedCase, OpenCaseForm, useNavigateToCase } from '../cases/open-case.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { CaseSummaryRows, DetailSection } from './detail-section.tsx';
import { adminPostContentQuery } from './queries.ts';
import * as texts from './texts.ts';

const TYPE_LABELS: Readonly<Record<AdminPost['type'], string>> = {
  picture: texts.photo,
  pictureSet: texts.album,
  video: texts.video,
  audio: texts.audio,
};

function formatState({ state, stateSince }: AdminPost): string {
  const since = stateSince === null ? '' : formatText(texts.sinceTime, { time: formatExactTime(stateSince) });
  if (state === 'hidden') return formatText(texts.removedByStaff, { sinceNote: since });
  return state === 'removed' ? formatText(texts.deletedByTheCreator, { sinceNote: since }) : texts.published;
}

function ContentReveal({ id }: { id: string }) {
  const [isRequested, setRequested] = useState(false);
  const canView = useCanCallRoute(getAdminPostContent);
  const query = useQuery({ ...adminPostContentQuery(id), enabled: isRequested });
  if (!canView) return null;
  if (isRequested) return <AdminCaseContent query={query} />;
  return (
    <div className="case-veil">
      <Button icon="eye" onClick={() => setRequested(true)}>
        {texts.show}
      </Button>
      <p className="text-small text-muted">{texts.viewRecordedHint}</p>
    </div>
  );
}

function OpenPostCaseForm({ id }: { id: AdminPost['id'] }) {
  const onDone = useNavigateToCase();
  const openCase = useAdminAction(openPostCase, {
    invalidates: [getAdminPost],
    successMessage: formatOpenedCase,
    onDone,
  });
  if (!openCase.isAllowed) return null;
  return (
    <OpenCaseForm
      label={texts.openACase}
      question={texts.whatsTheProblem}
      busy={openCase.isPending}
      error={openCase.error}
      onOpen={(reason) => openCase.send({ params: { id }, body: { reason } })}
    />
  );
}

function PostDetails({ view }: { view: AdminPost }) {
  const { id, creator, type, files, price, at, state, likes, copies, copyOwners, people } = view;
  const createLink = (href: string, label: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {label}
    </UiLink>
  );
  const details: DefinitionItem[] = [
    { name: 'Creator', value: createLink(adminUserPath(creator.id), `@${creator.username}`) },
    { name: 'Type', value: files === 1 ? TYPE_LABELS[type] : `${TYPE_LABELS[type]}, ${formatCount(files, 'file')}` },
    { name: 'Price', value: price === null ? 'Free' : formatUsd(price) },
    { name: 'Posted', value: formatExactTime(at) },
    { name: 'Status', value: formatState(view) },
    { name: 'Likes', value: likes.toLocaleString('en-US') },
    ...describePostDetails(view).map(({ name, text }) => ({ name, value: <bdi>{text}</bdi> })),
    ...(people.length === 0 ? [] : [{ name: texts.taggedUsers, value: people.map((name) => `@${name}`).join(', ') }]),
    {
      name: texts.identicalCopies,
      value:
        copies === 0 ? 'None' : `${formatCount(copies, 'file')}, of ${copyOwners.map((name) => `@${name}`).join(', ')}`,
    },
    ...(state === 'published' ? [{ name: texts.publicPage, value: createLink(postPath(id), texts.open) }] : []),
    { name: 'ID', value: <span className="wrap-anywhere">{id}</span> },
  ];
  return <DefinitionList strong items={details} />;
}

export function AdminPostView({ view, now }: { view: AdminPost; now: string }) {
  const { id, caption, price, sales, cases, decisions } = view;
  return (
    <div className="grid gap-8">
      {caption !== view.title && (
        <p dir="auto" className="max-w-[70ch] whitespace-pre-line wrap-anywhere">
          {caption}
        </p>
      )}
      <ContentReveal id={id} />
      <PostDetails view={view} />
      {(price !== null || sales.count > 0) && (
        <DetailSection id="sales" title={texts.sales}>
          <DefinitionList
            strong
            items={[
              { name: 'Unlocks', value: `${sales.count.toLocaleString('en-US')}, ${formatUsd(sales.amount)}` },
              { name: 'Refunded', value: `${sales.refunds.toLocaleString('en-US')}, ${formatUsd(sales.refunded)}` },
            ]}
          />
        </DetailSection>
      )}
      <DetailSection id="cases" title={texts.casesAboutThisPost}>
        <CaseSummaryRows cases={cases} label={texts.casesAboutThisPost} now={now} />
      </DetailSection>
      {decisions.length > 0 && (
        <DetailSection id="decisions" title={texts.decisions}>
          <DecisionLines decisions={decisions} label={texts.decisions} currentCaseId="" />
        </DetailSection>
      )}
      <OpenPostCaseForm id={id} />
    </div>
  );
}
