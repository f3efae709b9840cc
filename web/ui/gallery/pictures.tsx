import { Avatar } from '../avatar.tsx';
import { Button } from '../button.tsx';
import { Card, MediaCard, UserCard, UserRow } from '../card.tsx';
import { DefinitionList, PriceSummary } from '../definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../expandable-row.tsx';
import { OwnedDot, SectionHead } from '../label.tsx';
import { Cover, Picture } from '../picture.tsx';
import { AmountRow, Row, Rows } from '../rows.tsx';
import { BarChart, SmallCharts, StatCard, Stats } from '../stat.tsx';
import { Table } from '../table.tsx';
import { createDrawing, Group, type ThemeProps } from './group.tsx';

const createPicture = (hue: number) => ({ src: createDrawing(hue), alt: '', width: 800, height: 1000, ratio: '4 / 5' });
const heights = [476, 574, 532, 728, 658, 812, 616, 882, 994, 840, 1092, 1204.5];
const bars = heights.map((value, index) => ({
  label: `Week ${index + 1}`,
  value,
  text: `$${value.toFixed(2)}`,
  tick: index % 2 === 0 ? `W${index + 1}` : undefined,
}));

function Cards() {
  return (
    <Group title="Cards">
      <div className="gallery__pair">
        <MediaCard
          href="#a"
          picture={createPicture(30)}
          label={{
            title: 'Sunday firing, unloaded',
            detail: (
              <>
                <OwnedDot /> · 12 photos
              </>
            ),
          }}
        />
        <MediaCard
          href="#b"
          picture={createPicture(200)}
          label={{ title: 'Four bowls and a very long name', detail: 'Video, 18:40', price: '$12.00' }}
          seal={{ icon: 'lock', text: '$12.00' }}
          kind={{ icon: 'play', label: 'Video' }}
        />
        <MediaCard
          href="#c"
          picture={{ ...createPicture(0), src: null }}
          label={{ title: 'Nothing here', stacked: true, price: '$5.00/min' }}
        />
        <MediaCard
          href="#d"
          picture={createPicture(120)}
          label={{ title: 'Inês', price: 'Calls from $5.00/min', stacked: true }}
          seal={{ icon: 'play', text: '4:06' }}
        />
        <UserCard
          href="#p"
          name="Hana Sørby"
          verified
          picture={createPicture(250)}
          avatar={{ src: createDrawing(250), presence: 'on', presenceLabel: 'Online' }}
          sub={
            <>
              Photographer · <span className="num">$3.00/min</span>
            </>
          }
        />
        <UserCard
          href="#q"
          name="Baptiste Nguyễn-Laurent"
          verified
          picture={createPicture(60)}
          avatar={{ src: createDrawing(60), presence: 'busy', presenceLabel: 'Busy' }}
          sub={
            <>
              Chef · <span className="num">$2.00/min</span>
            </>
          }
        />
      </div>
      <UserRow
        name="Mirele Okonkwo"
        href="#m"
        verified
        avatar={{ src: createDrawing(90), presence: 'on', presenceLabel: 'Online' }}
        sub="Ceramicist, Porto · Sunday"
        end={<Button aria-pressed="true">Following</Button>}
      />
      <Picture
        src={createDrawing(320, 1600, 900)}
        alt="A lit ball before a pink wall"
        width={1600}
        height={900}
        placeholder="oklch(0.4 0.1 320)"
      />
      <Cover
        picture={{ src: createDrawing(40, 1600, 900), alt: '' }}
        title={<p className="display d1">Mirele Okonkwo</p>}
      >
        <span>@mirele.fires</span>
        <span>Ceramicist, Porto</span>
        <span className="lamp">Online now</span>
      </Cover>
    </Group>
  );
}

export function PictureGallery({ theme }: ThemeProps) {
  return (
    <>
      <Cards />
      <Group title="Rows and sums">
        <Rows label={`Movements, ${theme}`} closed>
          <AmountRow
            icon="video"
            title="Call with Baptiste Nguyễn-Laurent"
            sub="Today, 21:14 · 6:12 at $2.00/min"
            amount="−$12.40"
            status="Paid"
            href="#1"
          />
          <AmountRow
            icon="tip"
            title="Tip to Inês Valadão, whose name is longer than the row"
            sub="Today, 19:02 · in chat"
            amount="−$20.00"
            status="Paid"
          />
          <AmountRow
            icon="download"
            title="Deposit, 30 credits"
            sub="12 Nov · card ending in 4417"
            amount="+$300.00"
            status="Received"
          />
          <AmountRow icon="undo" title="Deposit, 60 credits" sub="3 Nov" amount="+$600.00" status="Reversed" void />
          <AmountRow
            lead={<Avatar name="Hana Sørby" src={createDrawing(250)} />}
            title="Hana Sørby"
            sub="1 h ago"
            amount="+$10.00"
            status="Received"
          />
          <Row title="Bare row" sub="Without a picture" end={<Button>Open</Button>} />
        </Rows>
        <DefinitionList
          items={[
            { name: 'Film', value: '18:40, 4K with sound' },
            { name: 'Photographs', value: '9, full size' },
            { name: 'Yours to keep', value: 'Watch any time' },
          ]}
        />
        <PriceSummary
          items={[
            { name: 'You get', value: '$300.00' },
            { name: 'Fee', value: '$6.00' },
          ]}
          total={{ name: 'You pay', value: '$306.00' }}
        />
      </Group>
      <Group title="Figures">
        <Stats label={`Earnings, ${theme}`}>
          <StatCard name="This week" value="$1,204.50" note="+$132.10 more than last week" noteMuted={false} />
          <StatCard name="Available" value="$3,418.06" note="Cleared" />
          <StatCard name="Pending" value="$962.40" note="Next clears 23 Nov" />
        </Stats>
        <BarChart caption={`Earned by week, ${theme}`} bars={bars} max={1400} maxText="$1,400" />
        <BarChart caption={`Few bars, ${theme}`} bars={bars.slice(0, 3)} highlightIndex={0} maxText="$574" />
        <SmallCharts
          charts={['Video Call', 'Tip'].map((name, index) => ({
            name,
            text: bars.at(-1)?.text ?? '',
            summary: `${name} by week, ${theme}`,
            values: bars.map(({ value }) => value / (index + 1)),
          }))}
          max={1400}
          maxText="$1,400"
          from="1 Sep"
          to="This week"
        />
        <Table
          caption={`Earned by kind, ${theme}`}
          columns={[{ head: 'Kind' }, { head: 'Fans paid', wide: true }, { head: 'Yours' }]}
          rows={[
            { key: 'call', cells: ['Video Call', '$5,760.00', '$4,608.00'] },
            { key: 'tip', cells: ['Tip', '$2,040.00', '$1,632.00'] },
          ]}
          foot={['Together', '$7,800.00', '$6,240.00']}
        />
        <ExpandableRows label={`Lines, ${theme}`}>
          <ExpandableRow
            lead={<Avatar name="Inês Valadão" />}
            title="Tip from Inês Valadão"
            sub="Today"
            amount="+$16.00"
            status="Clears 28 Nov"
          >
            <PriceSummary items={[{ name: 'Inês paid', value: '$20.00' }]} total={{ name: 'Yours', value: '$16.00' }} />
          </ExpandableRow>
        </ExpandableRows>
        <Card labelledBy={`setup-${theme}`}>
          <SectionHead title={`Open your door, ${theme}`} id={`setup-${theme}`} level={3} end="3 of 5 done" />
          <Button variant="primary" wide>
            Add payout method
          </Button>
        </Card>
      </Group>
    </>
  );
}
