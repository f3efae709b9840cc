/**
 * A call between two browsers, by perfect negotiation (W3C WebRTC, "Perfect negotiation example"): both may offer at any time, and the
 * polite side gives way. The impolite one makes the first offer of each connection, once the polite one has greeted it.
 *
 * A greeting is an empty `rollback`: "I begin anew, and so do you." It is how a page that was reloaded, and a device that took over,
 * find the other side, whose connection was with a page that is gone; and how both start over when nothing else helped.
 */

import { type Heard, isHeard } from './hearing.ts';
import { BEST, nextQuality, type Sample, STEPS } from './quality.ts';
import { readStats } from './stats.ts';
import type { CallSignal, TrackKind, Way, WayEvents } from './way.ts';

export type PeerConfig = Pick<RTCConfiguration, 'iceServers' | 'iceTransportPolicy'>;

export interface PeerOptions extends WayEvents {
  isPolite: boolean;
  config: PeerConfig;
  /** Fresh credentials of the relay; nothing when they cannot be had now. */
  renew(): Promise<PeerConfig | undefined>;
}

/** Not connected for so long, the polite side greets again. */
const PATIENCE_MS = 6_000;
/** `disconnected` may mend itself. */
const RESTART_MS = 2_500;
/** An offer that is younger is still on its way to being answered. */
const YOUNG_MS = 2_000;
const LOOK_MS = 1_000;
const GREETING: CallSignal = { description: { type: 'rollback', sdp: '' } };
const ALIVE = 'alive';
type Description = NonNullable<CallSignal['description']>;
type Candidate = NonNullable<CallSignal['candidate']>;

/** The certificate in a description: another one is another connection. */
function fingerprintOf(sdp: string | undefined): string | undefined {
  return /^a=fingerprint:(.+)$/m.exec(sdp ?? '')?.[1]?.trim();
}

type Link = {
  readonly pc: RTCPeerConnection;
  readonly madeAt: number;
  makingOffer: boolean;
  ignoreOffer: boolean;
  /** Candidates that came before what they belong to. */
  readonly early: Candidate[];
  channel: RTCDataChannel | undefined;
  restart: ReturnType<typeof setTimeout> | undefined;
};

export function openPeer(options: PeerOptions): Way {
  const { isPolite, send, renew } = options;
  const now = () => performance.now();
  const remote = new MediaStream();
  const tracks: Record<TrackKind, MediaStreamTrack | null> = { audio: null, video: null };
  const heard: Heard = { isConnected: false, signAt: undefined, mediaAt: undefined, flowsSince: undefined };
  let config = options.config;
  let quality = BEST;
  let packets = 0;
  let unconnectedSince = now();
  let isClosed = false;
  let link = makeLink();

  function senderOf(kind: TrackKind): RTCRtpSender | undefined {
    const found = link.pc.getTransceivers().find(({ receiver }) => receiver.track.kind === kind);
    if (found && found.direction !== 'sendrecv') found.direction = 'sendrecv';
    return found?.sender;
  }
  function place(kind: TrackKind): void {
    const isSent = heard.flowsSince !== undefined && !(kind === 'video' && quality.level >= STEPS.length);
    const track = isSent ? tracks[kind] : null;
    const sender = senderOf(kind);
    // A connection that is being closed takes nothing more.
    if (sender && sender.track !== track) void sender.replaceTrack(track).catch(() => undefined);
  }
  function placeAll(): void {
    place('audio');
    place('video');
  }

  async function offer(on: Link): Promise<void> {
    try {
      on.makingOffer = true;
      await on.pc.setLocalDescription();
      tell(on);
    } catch {
      // Closed meanwhile, or overtaken by the other side's offer: what comes next decides.
    } finally {
      on.makingOffer = false;
    }
  }
  function tell(on: Link): void {
    const description = on.pc.localDescription;
    if (description && on === link) send({ description: { type: description.type, sdp: description.sdp } });
  }
  function takeChannel(on: Link, channel: RTCDataChannel): void {
    on.channel = channel;
    channel.onopen = () => channel.send('.');
    channel.onmessage = () => {
      if (on === link) heard.signAt = now();
    };
  }
  async function restartOn(on: Link): Promise<void> {
    const fresh = await renew();
    if (isClosed || on !== link) return;
    if (fresh) {
      config = fresh;
      on.pc.setConfiguration(fresh);
    }
    // Before the first description there is nothing to restart.
    if (on.pc.remoteDescription) on.pc.restartIce();
  }
  function watch(on: Link): void {
    const { connectionState } = on.pc;
    const wasConnected = heard.isConnected;
    heard.isConnected = connectionState === 'connected';
    if (!heard.isConnected && wasConnected) unconnectedSince = now();
    clearTimeout(on.restart);
    if (connectionState === 'failed') void restartOn(on);
    if (connectionState === 'disconnected') on.restart = setTimeout(() => void restartOn(on), RESTART_MS);
  }
  function makeLink(): Link {
    const pc = new RTCPeerConnection(config);
    const made: Link = {
      pc,
      madeAt: now(),
      makingOffer: false,
      ignoreOffer: false,
      early: [],
      channel: undefined,
      restart: undefined,
    };
    pc.onnegotiationneeded = () => {
      // The polite side has nothing to offer before it was offered something.
      if (made === link && (!isPolite || pc.remoteDescription)) void offer(made);
    };
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate || made !== link) return;
      const { sdpMid, sdpMLineIndex, usernameFragment } = candidate;
      send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } });
    };
    pc.ontrack = ({ track }) => {
      for (const old of remote.getTracks()) if (old.kind === track.kind) remote.removeTrack(old);
      remote.addTrack(track);
      options.onRemote(remote);
    };
    pc.ondatachannel = ({ channel }) => takeChannel(made, channel);
    pc.onconnectionstatechange = () => {
      if (made === link) watch(made);
    };
    return made;
  }
  /** A new connection; the impolite side offers at once. */
  function begin(): void {
    dispose(link);
    heard.isConnected = false;
    heard.signAt = undefined;
    unconnectedSince = now();
    packets = 0;
    link = makeLink();
    if (isPolite) return;
    takeChannel(link, link.pc.createDataChannel(ALIVE, { ordered: false, maxRetransmits: 0 }));
    for (const kind of ['audio', 'video'] as const) link.pc.addTransceiver(kind, { direction: 'sendrecv' });
    placeAll();
  }
  function dispose(on: Link): void {
    clearTimeout(on.restart);
    on.pc.close();
  }
  function greeted(): void {
    if (isPolite) {
      if (link.pc.remoteDescription) begin();
      send(GREETING);
      return;
    }
    const isOffering = link.pc.signalingState === 'have-local-offer' || link.makingOffer;
    if (isOffering && now() - link.madeAt < YOUNG_MS) return;
    begin();
  }
  async function takeDescription({ type, sdp = '' }: Description): Promise<void> {
    const isOffer = type === 'offer';
    const known = fingerprintOf(link.pc.remoteDescription?.sdp);
    if (isOffer && known !== undefined && known !== fingerprintOf(sdp)) begin();
    const on = link;
    const isCollision = isOffer && (on.makingOffer || on.pc.signalingState !== 'stable');
    on.ignoreOffer = !isPolite && isCollision;
    if (on.ignoreOffer) return;
    // An answer to what was taken back is to nothing.
    if (!isOffer && on.pc.signalingState === 'stable') return;
    await on.pc.setRemoteDescription({ type, sdp });
    if (on !== link || isClosed) return;
    placeAll();
    if (isOffer) {
      await on.pc.setLocalDescription();
      tell(on);
    }
    for (const candidate of on.early.splice(0)) await takeCandidate(candidate);
  }
  async function takeCandidate(one: Candidate): Promise<void> {
    const on = link;
    if (!on.pc.remoteDescription) return void on.early.push(one);
    const { candidate, sdpMid = null, sdpMLineIndex = null, usernameFragment = null } = one;
    // Of a connection that is gone.
    if (usernameFragment && !on.pc.remoteDescription.sdp.includes(`a=ice-ufrag:${usernameFragment}`)) return;
    try {
      await on.pc.addIceCandidate({ candidate, sdpMid, sdpMLineIndex, usernameFragment });
    } catch (error) {
      if (!on.ignoreOffer && on === link && !isClosed) throw error;
    }
  }

  async function look(): Promise<void> {
    const on = link;
    if (on.channel?.readyState === 'open') on.channel.send('.');
    if (!heard.isConnected) {
      if (isPolite && now() - unconnectedSince > PATIENCE_MS) {
        unconnectedSince = now();
        if (on.pc.remoteDescription) begin();
        send(GREETING);
      }
      return;
    }
    const sample = readStats(await on.pc.getStats());
    if (on !== link || isClosed) return;
    if (sample.received > packets) heard.mediaAt = now();
    packets = sample.received;
    if (heard.flowsSince !== undefined && tracks.video) await step(sample);
  }
  async function step(sample: Sample): Promise<void> {
    const before = quality.level;
    quality = nextQuality(quality, sample);
    if (quality.level === before) return;
    options.onPicture(quality.level < STEPS.length);
    place('video');
    const sender = senderOf('video');
    const wanted = STEPS[quality.level];
    if (!sender || !wanted) return;
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) Object.assign(encoding, wanted);
    // What the browser refuses leaves the picture as it was.
    await sender.setParameters(parameters).catch(() => undefined);
  }

  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  // Signals are taken one after the other: each stands on what the one before it left.
  let work = Promise.resolve();
  const take = async ({ description, candidate }: CallSignal) => {
    if (isClosed) return;
    if (description?.type === 'rollback') greeted();
    else if (description) await takeDescription(description);
    else if (candidate) await takeCandidate(candidate);
  };
  send(GREETING);

  return {
    hear: (signal) => {
      // What is no description of a connection cannot end this one.
      work = work.then(() => take(signal)).catch(() => undefined);
      return work;
    },
    setTrack: (kind, track) => {
      tracks[kind] = track;
      place(kind);
    },
    setFlowing: (isFlowing) => {
      if (isFlowing === (heard.flowsSince !== undefined)) return;
      heard.flowsSince = isFlowing ? now() : undefined;
      placeAll();
    },
    isHeard: () => isHeard(heard, now()),
    restart: () => void restartOn(link),
    close: () => {
      isClosed = true;
      clearInterval(looking);
      dispose(link);
    },
  };
}
