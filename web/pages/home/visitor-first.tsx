import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { WorkCard } from '../../modules/content/posts/works-gallery.tsx';
import { CreatorTiles } from '../../modules/content/profiles/creator-tiles.tsx';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import * as texts from './texts.ts';

const LARGE = '(min-width: 60rem) 34vw, 62vw';
const SMALL = '(min-width: 60rem) 20vw, 38vw';

export type FrontCreators = {
  onlineCreators: readonly CreatorCard[];
  onlineCount: number;
  others: readonly CreatorCard[];
};

function OnlineNow({ onlineCreators, onlineCount }: FrontCreators) {
  if (onlineCreators.length === 0) return null;
  return (
    <section className="door" aria-labelledby="door">
      <SectionHead
        id="door"
        title={texts.onlineNow}
        end={formatText(texts.onlineNowCount, { onlineCount: onlineCount.toLocaleString('en-US') })}
        href="/?sort=online"
      />
      <CreatorTiles creators={onlineCreators} />
    </section>
  );
}

function Others({ onlineCreators, others }: FrontCreators) {
  if (others.length === 0) return null;
  return (
    <section className="door" aria-labelledby="others">
      <SectionHead
        id="others"
        title={onlineCreators.length > 0 ? texts.alsoAvailableForCalls : texts.availableForCalls}
      />
      <CreatorTiles creators={others} />
    </section>
  );
}

export function VisitorFirst({ creators, works }: { creators: FrontCreators; works: readonly Post[] }) {
  return (
    <section className="front" aria-labelledby="promise">
      <div className="front__say">
        <h1 className="display d1" id="promise">
          {texts.meetAfterShow}
        </h1>
        <div>
          <p className="front__lead">
            <span className="front__more">{texts.visitorLead} </span>
            <b>{texts.priceFirstPromise}</b>
          </p>
          <div className="front__go">
            <Button size="lg" href={works.length > 0 ? '#hanging' : '#tonight'}>
              {works.length > 0 ? texts.seeTheLatestPosts : texts.browseCreators}
            </Button>
          </div>
        </div>
      </div>
      {creators.onlineCreators.length > 0 ? <OnlineNow {...creators} /> : <Others {...creators} />}
      {works.length > 0 && (
        <div className="front__works">
          {works.map((post, index) => (
            <WorkCard key={post.id} post={post} sizes={index === 0 ? LARGE : SMALL} isPriority={index === 0} />
          ))}
        </div>
      )}
      {creators.onlineCreators.length > 0 && <Others {...creators} />}
    </section>
  );
}
