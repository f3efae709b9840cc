import { Bubble, BubbleTime, ComposerForm, ComposerInput, DayDivider, TypingIndicator } from '../bubble.tsx';
import { IconButton, PriceButton } from '../button.tsx';
import { ReceiptCard } from '../definition-list.tsx';
import { Picture, PictureBadge } from '../picture.tsx';
import { createDrawing, Group, type ThemeProps } from './group.tsx';

export function ChatGallery({ theme }: ThemeProps) {
  return (
    <Group title="Thread">
      <div className="thread bleed">
        <DayDivider>Today</DayDivider>
        <Bubble>
          Still shaking a bit. Did the Kodály hold up from the third row?
          <BubbleTime time="18:47" />
        </Bubble>
        <Bubble last>
          Be honest.
          <BubbleTime time="18:47" />
        </Bubble>
        <Bubble me>
          The second movement stopped the room. Nobody coughed.
          <BubbleTime time="18:55" delivery="read" />
        </Bubble>
        <Bubble me last>
          https://example.org/a-very-long-address-without-any-break-in-it/that-goes-on-and-on
          <BubbleTime time="18:56" delivery="sent" />
        </Bubble>
        <Bubble me last failed>
          This one did not go through.
          <BubbleTime time="18:57" delivery="failed" />
        </Bubble>
        <Bubble me last kind="card">
          <ReceiptCard
            title="Tip to Inês"
            status="Paid"
            amount="$20.00"
            end={<BubbleTime time="19:02" delivery="delivered" />}
          />
        </Bubble>
        <Bubble last kind="card">
          <ReceiptCard icon="video" title="Video call ended" status="20:31" line="2:31 at $5.00/min" lineEnd="$12.58" />
        </Bubble>
        <Bubble kind="media">
          <Picture src={createDrawing(20, 800, 600)} alt="Blurred preview" ratio="4 / 3">
            <PictureBadge icon="play">4:06</PictureBadge>
          </Picture>
          <div className="bubble__in">
            <p>The encore, from my side of the bow.</p>
            <PriceButton verb="Unlock" price="$8.00" wide />
          </div>
        </Bubble>
        <TypingIndicator label="Inês is typing" />
      </div>
      <ComposerForm
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
      </ComposerForm>
    </Group>
  );
}
