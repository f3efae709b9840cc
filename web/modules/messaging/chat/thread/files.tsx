/** Documents and voice notes in a bubble. Documents are only ever downloaded, never opened. */
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { useChatContext } from '../chat-parts.ts';
import * as texts from '../texts.ts';

type MessageDocument = Message['documents'][number];

function DocumentLine({ document }: { document: MessageDocument }) {
  const content = (
    <>
      <Icon name="document" />
      <span className="min-w-0">
        <span className="block font-semibold wrap-anywhere" dir="auto">
          {document.fileName}
        </span>
        <span className="num text-small text-muted">{formatBytes(document.byteSize)}</span>
      </span>
      <Icon name={document.url ? 'download' : 'lock'} />
    </>
  );
  return document.url ? (
    <a
      className="file"
      href={document.url}
      download={document.fileName}
      aria-label={formatText(texts.downloadFile, { fileName: document.fileName })}
    >
      {content}
    </a>
  ) : (
    <div className="file">{content}</div>
  );
}

export function MessageDocuments({ documents }: { documents: readonly MessageDocument[] }) {
  return documents.map((document) => <DocumentLine key={document.id} document={document} />);
}

export function VoiceMessage({ voice, name }: { voice: NonNullable<Message['voice']>; name: string }) {
  const { Player } = useChatContext();
  if (!voice.url)
    return (
      <div className="file">
        <Icon name="mic" />
        <span>{formatText(texts.voiceMessageDuration, { duration: formatDuration(voice.durationSeconds) })}</span>
        <Icon name="lock" />
      </div>
    );
  return (
    <Player
      isCompact
      ratio="auto"
      title={formatText(texts.voiceMessageFrom, { name })}
      artist={name}
      media={{
        id: voice.id,
        kind: 'audio',
        durationSeconds: voice.durationSeconds,
        picture: { url: '', width: 0, height: 0, alt: '', thumbhash: null, sources: [] },
        stream: {
          hls: null,
          file: voice.url,
          fileType: voice.fileType,
          sprite: null,
          waveform: [...voice.waveform],
          isLoop: false,
          captions: [],
        },
      }}
    />
  );
}
