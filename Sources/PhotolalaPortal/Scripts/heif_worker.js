// Worker that decodes HEIC photos. Only this worker may compile WebAssembly. heif.wasm contains libheif and libde265, which
// are free software under the GNU Lesser General Public License, version 3 or later: https://github.com/strukturag.

// The longer side in pixels that large images keep at least.
const edge = 2048;
// An instance with more memory in bytes is not used again.
const largestMemory = 160 << 20;
// There are no files, and nothing reads the library's messages.
const badFile = () => 8;
const system = {
  env: { emscripten_notify_memory_growth() {}, __syscall_unlink: badFile },
  wasi_snapshot_preview1: {
    environ_get: badFile, environ_sizes_get: badFile, fd_close: badFile, fd_read: badFile, fd_seek: badFile,
    fd_write: badFile, proc_exit() { throw new Error("libheif ended"); },
  },
};

let compiled, instance;

async function start() {
  compiled ??= await WebAssembly.compileStreaming(fetch(new URL("./heif.wasm", import.meta.url)));
  const { exports } = await WebAssembly.instantiate(compiled, system);
  exports._initialize();
  return exports;
}

/** Returns the primary image, upright. */
async function decode(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  instance ??= await start();
  const { memory, photo_buffer, photo_decode, photo_free, photo_release } = instance;
  const buffer = photo_buffer(bytes.length);
  if (!buffer) throw new Error("too large");
  new Uint8Array(memory.buffer, buffer).set(bytes);
  const picture = photo_decode(buffer, bytes.length, edge);
  photo_free(buffer);
  if (!picture) throw new Error("not decodable");
  // The structure `picture` of scripts/heif/decoder.c.
  const [width, height, isWide, pixels] = new Uint32Array(memory.buffer, picture, 4);
  const image = new ImageData(
    new Uint8ClampedArray(memory.buffer, pixels, width * height * 4), width, height,
    { colorSpace: isWide ? "display-p3" : "srgb" });
  const bitmap = await createImageBitmap(image);
  photo_release();
  return bitmap;
}

onmessage = async ({ data: file }) => {
  try {
    const bitmap = await decode(file);
    if (instance.memory.buffer.byteLength > largestMemory) instance = undefined;
    postMessage({ bitmap }, [bitmap]);
  } catch (error) {
    // After an error in the library its memory is in an unknown state.
    instance = undefined;
    postMessage({ error: String(error) });
  }
};
