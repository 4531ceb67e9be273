/** Builds the viewer's page into dist/viewer. Tests have their own vitest.config.ts. */
import { defineConfig, type Plugin } from 'vite';

/** lil-gui brings its icons as a font in a data: address, which the page's policy forbids; ours are plain characters. */
function dropIconFont(): Plugin {
  return {
    name: 'drop-icon-font',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('lil-gui') || !id.includes('.css')) return undefined;
      return code.replace(/@font-face\s*\{[^}]*\}/g, '');
    },
  };
}

/** Decoders that three ships as plain scripts, each of which leaves one name behind: that name is what the module gives. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'basis_transcoder.js': 'BASIS',
  'draco_wasm_wrapper.js': 'DracoDecoderModule',
};

function exportScripts(): Plugin {
  return {
    name: 'export-scripts',
    enforce: 'pre',
    transform(code, id) {
      const name = SCRIPTS[id.replace(/^.*\//, '')];
      return name === undefined ? undefined : `${code}\nexport default ${name};\n`;
    },
  };
}

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: 'viewer',
  base: './',
  plugins: [dropIconFont(), exportScripts()],
  build: {
    outDir: '../dist/viewer',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data: addresses, which the page's policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // the page, and the one that films are drawn by
      input: ['viewer/index.html', 'viewer/film.html'],
      output: { manualChunks: (id: string) => (/node_modules\/three\/(?!.*\/libs\/)/.test(id) ? 'three' : undefined) },
    },
    chunkSizeWarningLimit: 800,
  },
  worker: { format: 'es', plugins: () => [exportScripts()] },
  server: { headers: ISOLATED },
  preview: { headers: ISOLATED },
});
