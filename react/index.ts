/**
 * `tendon/react`: soft characters for react-three-fiber.
 * @module tendon/react
 */

import { type ThreeEvent, useFrame } from '@react-three/fiber';
import { createElement, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import type { Vector3 } from 'three';
import { SoftCharacter as Character, type SoftCharacterOptions } from '../three/index.js';
import { Grabber } from './grabber.js';

/** What a soft character is told. Only `url` is needed; another one loads another character, the others count when it is loaded. */
export interface SoftCharacterProps extends Omit<SoftCharacterOptions, 'signal'> {
  /** Address of a `.glb` or `.gltf`. */
  readonly url: string;
  /** A floor at height 0, or at another one [m], in the character's own space; default none. */
  readonly floor?: boolean | number;
  /** Whether it can be pulled at with the pointer; default false. */
  readonly grab?: boolean;
  /** A motion to play; may change at any time. */
  readonly clip?: string | undefined;
  /** Called once it is there. */
  readonly onReady?: (character: Character) => void;
  /** Called when it cannot be loaded, has no such clip, or when its simulation fails; without it errors are the page's uncaught ones. */
  readonly onError?: (error: Error) => void;
}

/**
 * A rigged model made soft. Nothing is drawn until it is there. Safe in StrictMode and under hot reload: whatever is unmounted gives
 * up loading, ends its worker and frees its memory.
 */
export function SoftCharacter(props: SoftCharacterProps): ReactElement | null {
  const character = useCharacter(props);
  const { grab = false, clip, onError = reportError } = props;
  const tell = useRef(onError);
  tell.current = onError;
  const grabber = useMemo(() => character && new Grabber(character), [character]);
  useFrame((_, delta) => character?.step(delta));
  useEffect(() => {
    if (!character) return;
    try {
      if (clip === undefined) character.stopClip();
      else character.playClip(clip);
    } catch (error) {
      // thrown here it would take everything around the character down with it
      tell.current(error as Error);
    }
  }, [character, clip]);
  useEffect(() => () => grabber?.release(), [grabber]);
  if (!character || !grabber) return null;
  const handlers = grab && {
    onPointerDown: (event: ThreeEvent<PointerEvent>) => {
      event.stopPropagation();
      capture(event, true);
      grabber.begin(event.point, event.camera.getWorldDirection(event.point.clone()) as Vector3);
    },
    onPointerMove: (event: ThreeEvent<PointerEvent>) => grabber.move(event.ray),
    onPointerUp: (event: ThreeEvent<PointerEvent>) => {
      capture(event, false);
      grabber.release();
    },
  };
  return createElement('primitive', { object: character, dispose: null, ...handlers });
}

/** Loads what the properties ask for, and lets go of it when they no longer do. */
function useCharacter(props: SoftCharacterProps): Character | undefined {
  const [shown, setShown] = useState<{ readonly url: string; readonly character: Character }>();
  const latest = useRef(props);
  latest.current = props;
  const { url } = props;
  useEffect(() => {
    const leaving = new AbortController();
    let loaded: Character | undefined;
    const fail = (error: unknown): void => {
      if (!leaving.signal.aborted) (latest.current.onError ?? reportError)(error as Error);
    };
    const { url: _url, floor, grab: _grab, clip: _clip, onReady: _ready, onError: _error, ...options } = latest.current;
    const obstacles = [...(options.obstacles ?? []), ...floorAt(floor)];
    Character.load(url, { ...options, obstacles, signal: leaving.signal }).then((made) => {
      if (leaving.signal.aborted) {
        made.dispose();
        return;
      }
      loaded = made;
      made.simulation.addEventListener('error', ({ error }) => fail(error));
      setShown({ url, character: made });
      latest.current.onReady?.(made);
    }, fail);
    return () => {
      leaving.abort();
      loaded?.dispose();
      setShown(undefined);
    };
  }, [url]);
  // with another address the one before is gone, and knows nothing of the properties that came with it
  return shown?.url === url ? shown.character : undefined;
}

function floorAt(floor: boolean | number | undefined) {
  if (floor === undefined || floor === false) return [];
  const height = floor === true ? 0 : floor;
  return [{ name: 'floor', shape: { kind: 'plane' as const }, position: [0, height, 0] as const }];
}

/** The pointer belongs to the character while it pulls, also where it has left it. */
function capture(event: ThreeEvent<PointerEvent>, hold: boolean): void {
  const target = event.target as unknown as Element;
  if (hold) target.setPointerCapture?.(event.pointerId);
  else target.releasePointerCapture?.(event.pointerId);
}
