import { At, Bubble, Composer, ComposerInput, Day, Typing } from '../bubble.tsx';
import { IconButton, PriceButton } from '../button.tsx';
import { Slip } from '../facts.tsx';
import { Picture, Seal } from '../picture.tsx';
import { drawing, Group, type ThemeProps } from './group.tsx';

export function Talk({ theme }: ThemeProps) {
  return (
    <Group title="Thread">
      <div className="thread bleed">
        <Day>Today</Day>
        <Bubble>
          Still shaking a bit. Did the Kodály hold up from the third row?
          <At time="18:47" />
        </Bubble>
        <Bubble last>
          Be honest.
          <At time="18:47" />
        </Bubble>
        <Bubble me>
          The second movement stopped the room. Nobody coughed.
          <At time="18:55" delivery="read" />
        </Bubble>
        <Bubble me last>
          https://example.org/a-very-long-address-without-any-break-in-it/that-goes-on-and-on
          <At time="18:56" delivery="sent" />
        </Bubble>
        <Bubble me last failed>
          This one did not go through.
          <At time="18:57" delivery="failed" />
        </Bubble>
        <Bubble me last kind="slip">
          <Slip title="Tip to Inês" word="Paid" amount="$20.00" end={<At time="19:02" delivery="delivered" />} />
        </Bubble>
        <Bubble last kind="slip">
          <Slip icon="video" title="Video call ended" word="20:31" line="2:31 at $5.00/min" lineEnd="$12.58" />
        </Bubble>
        <Bubble kind="media">
          <Picture src={drawing(20, 800, 600)} alt="Blurred preview" ratio="4 / 3">
            <Seal icon="play">4:06</Seal>
          </Picture>
          <div className="bubble__in">
            <p>The encore, from my side of the bow.</p>
            <PriceButton verb="Unlock" price="$8.00" wide />
          </div>
        </Bubble>
        <Typing label="Inês is typing" />
      </div>
      <Composer
        className="bleed"
        aria-label={`Write, ${theme}`}
        start={<IconButton icon="image" label="Attach" />}
        end={
          <>
            <IconButton icon="tip" label="Send a tip" />
            <IconButton icon="send" label="Send" type="submit" />
          </>
        }
      >
        <ComposerInput />
      </Composer>
    </Group>
  );
}
