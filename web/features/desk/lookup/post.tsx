import '../../../ui/styles/case.css';
import { postPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { personDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { type DeskPost, openPostCase, readDeskPost, showDeskPost } from '@stagedoor/contract/lookup-things.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { Button } from '../../../ui/button.tsx';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { useDeskAct } from '../acts.ts';
import { OpenCaseForm, openedWords, useOpened } from '../cases/open.tsx';
import { DecisionLines } from '../cases/people.tsx';
import { ShownThing } from '../cases/thing.tsx';
import { CaseRows, Part } from './parts.tsx';
import { postThingQuery } from './queries.ts';

const TYPE_WORDS: Readonly<Record<DeskPost['type'], string>> = {
  picture: 'Photo',
  pictureSet: 'Album',
  video: 'Video',
  audio: 'Audio',
};

function stateWords({ state, stateSince }: DeskPost): string {
  const since = stateSince === null ? '' : ` since ${formatExact(stateSince)}`;
  if (state === 'hidden') return `Removed by staff${since}`;
  return state === 'removed' ? `Deleted by the creator${since}` : 'Published';
}

function Look({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  const may = useMay(showDeskPost);
  const query = useQuery({ ...postThingQuery(id), enabled: isAsked });
  if (!may) return null;
  if (isAsked) return <ShownThing query={query} />;
  return (
    <div className="case-veil">
      <Button icon="eye" onClick={() => setAsked(true)}>
        Show
      </Button>
      <p className="text-small text-muted">Your view is recorded in the audit log.</p>
    </div>
  );
}

function OpenCase({ id }: { id: DeskPost['id'] }) {
  const onDone = useOpened();
  const open = useDeskAct(openPostCase, { forget: [readDeskPost], done: openedWords, onDone });
  if (!open.may) return null;
  return (
    <OpenCaseForm
      label="Open a case"
      question="What’s the problem?"
      busy={open.isPending}
      error={open.error}
      onOpen={(ground) => open.send({ params: { id }, body: { ground } })}
    />
  );
}

function Facts({ view }: { view: DeskPost }) {
  const { id, creator, type, files, price, at, state, likes, copies, copiesOf, tags, people } = view;
  const link = (href: string, words: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {words}
    </UiLink>
  );
  const facts: Fact[] = [
    { name: 'Creator', value: link(personDeskPath(creator.id), `@${creator.username}`) },
    { name: 'Type', value: files === 1 ? TYPE_WORDS[type] : `${TYPE_WORDS[type]}, ${plural(files, 'file')}` },
    { name: 'Price', value: price === null ? 'Free' : formatUsd(price) },
    { name: 'Posted', value: formatExact(at) },
    { name: 'Status', value: stateWords(view) },
    { name: 'Likes', value: likes.toLocaleString('en-US') },
    ...(tags.length === 0 ? [] : [{ name: 'Tags', value: <bdi>{tags.map((tag) => `#${tag}`).join(' ')}</bdi> }]),
    ...(people.length === 0 ? [] : [{ name: 'Tagged people', value: people.map((name) => `@${name}`).join(', ') }]),
    {
      name: 'Identical copies',
      value: copies === 0 ? 'None' : `${plural(copies, 'file')}, of ${copiesOf.map((name) => `@${name}`).join(', ')}`,
    },
    ...(state === 'published' ? [{ name: 'Public page', value: link(postPath(id), 'Open') }] : []),
    { name: 'ID', value: <span className="wrap-anywhere">{id}</span> },
  ];
  return <FactList strong facts={facts} />;
}

export function Post({ view, now }: { view: DeskPost; now: string }) {
  const { id, caption, price, sales, cases, decisions } = view;
  return (
    <div className="grid gap-8">
      {caption !== view.title && (
        <p dir="auto" className="max-w-[70ch] whitespace-pre-line wrap-anywhere">
          {caption}
        </p>
      )}
      <Look id={id} />
      <Facts view={view} />
      {(price !== null || sales.count > 0) && (
        <Part id="sales" title="Sales">
          <FactList
            strong
            facts={[
              { name: 'Unlocks', value: `${sales.count.toLocaleString('en-US')}, ${formatUsd(sales.amount)}` },
              { name: 'Refunded', value: `${sales.refunds.toLocaleString('en-US')}, ${formatUsd(sales.refunded)}` },
            ]}
          />
        </Part>
      )}
      <Part id="cases" title="Cases about this post">
        <CaseRows lines={cases} label="Cases about this post" now={now} />
      </Part>
      {decisions.length > 0 && (
        <Part id="decisions" title="Decisions">
          <DecisionLines decisions={decisions} label="Decisions" here="" />
        </Part>
      )}
      <OpenCase id={id} />
    </div>
  );
}
