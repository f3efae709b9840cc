import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import {
  CAMERA_PROBLEM_MESSAGES,
  type CameraProblem,
  closeCamera,
  hasCameraPermission,
  hasCameras,
  openCamera,
} from './camera.ts';
import {
  ADVICE_MESSAGES,
  type FrameAdvice,
  type FrameShape,
  type GrayscaleImage,
  getAdvice,
  getVisiblePart,
  INITIAL_ADVICE,
  measureFrame,
  smoothAdvice,
  toGrayscale,
} from './frame-advice.ts';
import * as texts from './texts.ts';

export type CameraState =
  | { state: 'closed' | 'opening' }
  | { state: 'open'; stream: MediaStream }
  | { state: 'out'; problem: CameraProblem };

export function useCamera(shape: FrameShape) {
  const [camera, setCamera] = useState<CameraState>({ state: 'closed' });
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    let isStopped = false;
    let ownStream: MediaStream | undefined;
    const show = (next: CameraState) => {
      if (!isStopped) setCamera(next);
    };
    const start = async () => {
      if (attempts === 0 && hasCameras() && !(await hasCameraPermission())) return;
      if (isStopped) return;
      show({ state: 'opening' });
      const opened = await openCamera(shape);
      if ('problem' in opened) return show({ state: 'out', problem: opened.problem });
      if (isStopped) return closeCamera(opened.stream);
      ownStream = opened.stream;
      for (const track of ownStream.getVideoTracks()) track.onended = () => show({ state: 'out', problem: 'busy' });
      show({ state: 'open', stream: ownStream });
    };
    void start();
    return () => {
      isStopped = true;
      if (ownStream) closeCamera(ownStream);
    };
  }, [shape, attempts]);
  return { camera, open: () => setAttempts((times) => times + 1) };
}

const SAMPLE_MS = 250;
const SAMPLE = { width: 192, height: 144 } as const;
const MARGIN = 0.12;

function useAdvice(video: RefObject<HTMLVideoElement | null>, shape: FrameShape): FrameAdvice {
  const [steady, setSteady] = useState(INITIAL_ADVICE);
  useEffect(() => {
    const { width, height } = SAMPLE;
    const context = Object.assign(document.createElement('canvas'), SAMPLE).getContext('2d', {
      willReadFrequently: true,
    });
    let before: GrayscaleImage | undefined;
    const rateFrame = () => {
      const element = video.current;
      if (!context || !element || element.readyState < element.HAVE_CURRENT_DATA || document.hidden) return;
      const picture = { width: element.videoWidth, height: element.videoHeight };
      const part = getVisiblePart(picture, { width: element.clientWidth, height: element.clientHeight }, MARGIN);
      context.drawImage(element, part.x, part.y, part.width, part.height, 0, 0, width, height);
      const frame = toGrayscale(context.getImageData(0, 0, width, height).data, width, height);
      const advice = getAdvice(measureFrame(frame, before), shape);
      before = frame;
      setSteady((last) => smoothAdvice(last, advice));
    };
    const timer = setInterval(rateFrame, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [video, shape]);
  return steady.shown;
}

function Guidance({ video, shape }: { video: RefObject<HTMLVideoElement | null>; shape: FrameShape }) {
  const advice = useAdvice(video, shape);
  return (
    <p className="v-cam__say" role="status">
      <span className="lamp" data-good={advice === 'good' ? '' : undefined}>
        {ADVICE_MESSAGES[shape][advice]}
      </span>
    </p>
  );
}

function LiveView({
  stream,
  shape,
  onReady,
}: {
  stream: MediaStream;
  shape: FrameShape;
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
        aria-label={texts.cameraPreview}
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
      {texts.uploadPhotoInstead}
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

export interface ReadyCamera {
  stream: MediaStream;
  video: HTMLVideoElement;
}

export function Viewfinder({
  camera,
  shape,
  onReady,
}: {
  camera: CameraState;
  shape: FrameShape;
  onReady: (ready: ReadyCamera) => void;
}) {
  return (
    <div className="v-cam" data-shape={shape}>
      {camera.state === 'open' ? (
        <LiveView stream={camera.stream} shape={shape} onReady={(video) => onReady({ stream: camera.stream, video })} />
      ) : (
        <>
          {shape === 'card' && <span className="v-cam__corners" />}
          <p className="v-cam__words" role="status">
            {camera.state === 'out' ? CAMERA_PROBLEM_MESSAGES[camera.problem] : texts.cameraPermissionHint}
          </p>
        </>
      )}
    </div>
  );
}
