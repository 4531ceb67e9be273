/// <reference types="vite/client" />

/** Decoders that three ships as plain scripts; `vite.config.ts` makes modules of them. */
declare module 'three/examples/jsm/libs/basis/basis_transcoder.js' {
  interface StartOptions {
    locateFile(name: string): string;
  }

  interface Ktx2File {
    isValid(): boolean;
    isHDR(): boolean;
    startTranscoding(): boolean;
    getImageLevelInfo(level: number, layer: number, face: number): { origWidth: number; origHeight: number };
    getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
    transcodeImage(
      to: Uint8Array,
      level: number,
      layer: number,
      face: number,
      format: number,
      unused: number,
      channel0: number,
      channel1: number,
    ): boolean;
    close(): void;
    delete(): void;
  }

  export interface BasisModule {
    initializeBasis(): void;
    readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
  }

  export default function start(options: StartOptions): Promise<BasisModule>;
}

declare module 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js' {
  export default function start(options: { locateFile(name: string): string }): Promise<unknown>;
}
