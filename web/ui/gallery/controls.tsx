import { Avatar, StatusDot } from '../avatar.tsx';
import { Button, IconButton, PriceButton } from '../button.tsx';
import { Chip, ChipInput, ChipLink, Chips, Tabs } from '../chips.tsx';
import { Icon, iconNames } from '../icon.tsx';
import { CountBadge, OwnedDot, SectionHead, VerifiedName } from '../label.tsx';
import { LogoMark, Wordmark } from '../logo.tsx';
import { createDrawing, GalleryLine, Group, type ThemeProps } from './group.tsx';

const variants = ['primary', 'line', 'ink', 'quiet', 'danger'] as const;

function Buttons() {
  return (
    <Group title="Buttons">
      <GalleryLine>
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            {`Send ${variant}`}
          </Button>
        ))}
      </GalleryLine>
      <GalleryLine>
        {variants.map((variant) => (
          <Button key={variant} variant={variant} disabled>
            Disabled
          </Button>
        ))}
      </GalleryLine>
      <GalleryLine>
        {variants.map((variant) => (
          <Button key={variant} variant={variant} busy busyText="Saving…">
            Save changes
          </Button>
        ))}
      </GalleryLine>
      <GalleryLine>
        <Button variant="primary" size="lg" href="#link">
          Create your account
        </Button>
        <Button variant="quiet" href="#how">
          How it works
        </Button>
        <Button aria-pressed="false">Follow</Button>
        <Button aria-pressed="true">Following</Button>
        <Button icon="upload">Add files</Button>
      </GalleryLine>
      <PriceButton verb="Unlock" price="$12.00" size="lg" wide />
      <PriceButton verb="Unlock" price="$12.00" size="lg" wide busy />
      <PriceButton verb="Unlock" price="$12.00" size="lg" wide disabled />
      <PriceButton verb="Call" price="$4.00/min" icon="video" split wide />
      <Button variant="primary" size="lg" wide>
        A very long sentence on a button wraps instead of being cut, because what a button does must be read
      </Button>
      <GalleryLine>
        <IconButton icon="search" label="Search" />
        <IconButton
          icon="heart"
          label="Like, 318 likes"
          aria-pressed="false"
          text={<span className="num">318</span>}
          quiet
        />
        <IconButton icon="heart" label="Like, 319 likes" aria-pressed="true" text={<span className="num">319</span>} />
        <IconButton icon="share" label="Share" quiet />
        <IconButton icon="chat" label="Message" text="Message" href="#message" />
        <IconButton icon="trash" label="Delete" disabled />
      </GalleryLine>
    </Group>
  );
}

export function ControlGallery({ theme }: ThemeProps) {
  return (
    <>
      <div style={{ display: 'grid', gap: 16, paddingBottom: 28 }}>
        <GalleryLine>
          <LogoMark size={32} />
          <Wordmark />
        </GalleryLine>
        <p className="display d1">The show ends.</p>
        <p className="display d2">Come in, Nguyễn Łukasz</p>
        <p className="display d3">How many credits?</p>
        <p className="display d4">At the door now</p>
        <p className="text-lead text-muted">
          You see the price first, every time. Đặng Thị Hồng, Şebnem Çağlayan, Őrsi Fűzfa.
        </p>
        <p>
          Body text with a{' '}
          <a className="link" href="#link">
            link in it
          </a>{' '}
          and figures <span className="num">$1,204.50</span>.
        </p>
      </div>
      <Buttons />
      <Group title="Chips and tabs">
        <Chips label={`Category, ${theme}`}>
          <ChipLink href="#all" current>
            Everyone
          </ChipLink>
          {['Music', 'Ceramics', 'Dance', 'Photography', 'Kitchen', 'Strength', 'Paper & print'].map((word) => (
            <ChipLink key={word} href={`#${word}`}>
              {word}
            </ChipLink>
          ))}
        </Chips>
        <Chips label={`Amount, ${theme}`} wrap>
          <ChipInput name={`amount-${theme}`} value="100" defaultChecked>
            <span className="num">$100 and more</span>
          </ChipInput>
          <ChipInput name={`amount-${theme}`} value="50">
            <span className="num">$50 and more</span>
          </ChipInput>
          <Chip pressed icon="video">
            Video
          </Chip>
          <Chip pressed={false} icon="images">
            Photos
          </Chip>
        </Chips>
        <Tabs
          label={`Profile, ${theme}`}
          current="#posts"
          tabs={[
            { href: '#posts', label: 'Posts' },
            { href: '#media', label: 'Media', count: 612 },
            { href: '#about', label: 'About' },
          ]}
        />
        <SectionHead title="Recent" level={3} end="All 148" href="#all" />
      </Group>
      <Group title="People, presence, ownership">
        <GalleryLine>
          <Avatar name="Ada Byron" src={createDrawing(30)} presence="on" presenceLabel="Online" size="s" />
          <Avatar name="Ada Byron" src={createDrawing(200)} presence="busy" presenceLabel="Busy" />
          <Avatar name="Ada Byron" src={createDrawing(300)} presence="away" presenceLabel="Away" />
          <Avatar name="Ada Byron" presence="off" />
          <Avatar name="Ølga" size="l" presence="on" presenceLabel="Online" />
          <Avatar name="Baptiste Nguyễn-Laurent" size="xl" src="/missing.webp" />
        </GalleryLine>
        <GalleryLine>
          <StatusDot>Online now</StatusDot>
          <StatusDot state="busy">On a call</StatusDot>
          <StatusDot state="away">Away</StatusDot>
          <StatusDot state="off">Offline</StatusDot>
          <StatusDot state="danger">Declined</StatusDot>
          <OwnedDot />
          <CountBadge value={3} label="unread" />
          <CountBadge value={240} label="unread" />
        </GalleryLine>
        <div style={{ width: 180 }}>
          <VerifiedName verified href="#name">
            Maximiliana Featherstonehaugh-Cholmondeley
          </VerifiedName>
        </div>
      </Group>
      <Group title="Icons">
        <div className="gallery__icons">
          {[...iconNames, 'heart-filled' as const].map((name) => (
            <span key={name}>
              <Icon name={name} />
              {name}
            </span>
          ))}
        </div>
      </Group>
    </>
  );
}
