import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { closeCamera, hasCameras, mayOpenCamera, openCamera, TROUBLE_WORDS, type Trouble } from './camera.ts';
import {
  ADVICE_WORDS,
  type Advice,
  adviceOf,
  type Grey,
  greyOf,
  LOOKING,
  measure,
  type Shape,
  steadied,
  visiblePart,
} from './guidance.ts';

export type Camera =
  | { state: 'closed' | 'opening' }
  | { state: 'open'; stream: MediaStream }
  | { state: 'out'; trouble: Trouble };

export function useCamera(shape: Shape) {
  const [camera, setCamera] = useState<Camera>({ state: 'closed' });
  const [presses, setPresses] = useState(0);
  useEffect(() => {
    let isOver = false;
    let own: MediaStream | undefined;
    const show = (next: Camera) => {
      if (!isOver) setCamera(next);
    };
    const begin = async () => {
      if (presses === 0 && hasCameras() && !(await mayOpenCamera())) return;
      if (isOver) return;
      show({ state: 'opening' });
      const opened = await openCamera(shape);
      if ('trouble' in opened) return show({ state: 'out', trouble: opened.trouble });
      if (isOver) return closeCamera(opened.stream);
      own = opened.stream;
      for (const track of own.getVideoTracks()) track.onended = () => show({ state: 'out', trouble: 'busy' });
      show({ state: 'open', stream: own });
    };
    void begin();
    return () => {
      isOver = true;
      if (own) closeCamera(own);
    };
  }, [shape, presses]);
  return { camera, open: () => setPresses((times) => times + 1) };
}

const LOOK_MS = 250;
const SAMPLE = { width: 192, height: 144 } as const;
const MARGIN = 0.12;

function useAdvice(video: RefObject<HTMLVideoElement | null>, shape: Shape): Advice {
  const [steady, setSteady] = useState(LOOKING);
  useEffect(() => {
    const { width, height } = SAMPLE;
    const context = Object.assign(document.createElement('canvas'), SAMPLE).getContext('2d', {
      willReadFrequently: true,
    });
    let before: Grey | undefined;
    const look = () => {
      const element = video.current;
      if (!context || !element || element.readyState < element.HAVE_CURRENT_DATA || document.hidden) return;
      const picture = { width: element.videoWidth, height: element.videoHeight };
      const part = visiblePart(picture, { width: element.clientWidth, height: element.clientHeight }, MARGIN);
      context.drawImage(element, part.x, part.y, part.width, part.height, 0, 0, width, height);
      const frame = greyOf(context.getImageData(0, 0, width, height).data, width, height);
      const advice = adviceOf(measure(frame, before), shape);
      before = frame;
      setSteady((last) => steadied(last, advice));
    };
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [video, shape]);
  return steady.said;
}

function Guidance({ video, shape }: { video: RefObject<HTMLVideoElement | null>; shape: Shape }) {
  const advice = useAdvice(video, shape);
  return (
    <p className="v-cam__say" role="status">
      <span className="lamp" data-good={advice === 'good' ? '' : undefined}>
        {ADVICE_WORDS[shape][advice]}
      </span>
    </p>
  );
}

function Live({
  stream,
  shape,
  onReady,
}: {
  stream: MediaStream;
  shape: Shape;
  onReady: (video: HTMLVideoElement) => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <>
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        aria-label="Camera preview"
        onLoadedData={({ currentTarget }) => onReady(currentTarget)}
      />
      <span className={shape === 'card' ? 'v-cam__corners' : 'v-cam__oval'} />
      <Guidance video={video} shape={shape} />
    </>
  );
}

export function ChoosePicture({ onChosen }: { onChosen: (file: File) => void }) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="btn btn--quiet btn--wide cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
    >
      Upload a photo instead
      <input
        id={id}
        type="file"
        accept="image/*,.heic,.heif"
        className="sr-only"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) onChosen(file);
        }}
      />
    </label>
  );
}

export interface Ready {
  stream: MediaStream;
  video: HTMLVideoElement;
}

export function Finder({ camera, shape, onReady }: { camera: Camera; shape: Shape; onReady: (ready: Ready) => void }) {
  return (
    <div className="v-cam" data-shape={shape}>
      {camera.state === 'open' ? (
        <Live stream={camera.stream} shape={shape} onReady={(video) => onReady({ stream: camera.stream, video })} />
      ) : (
        <>
          {shape === 'card' && <span className="v-cam__corners" />}
          <p className="v-cam__words" role="status">
            {camera.state === 'out'
              ? TROUBLE_WORDS[camera.trouble]
              : 'Your browser will ask for camera access. It’s only used for this step.'}
          </p>
        </>
      )}
    </div>
  );
}
