// Unpacks the bytes of a file in a ZIP archive.
import { CRC32 } from "./crc32.js";

// Bytes that are read at once. Deflate can expand them a thousandfold before the length is checked.
const [storedPiece, compressedPiece] = [4 << 20, 128 << 10];

/** An archive or a file in it that cannot be read. */
export class ZipError extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * Calls `write` with the pieces of a file, one after the other, given its bytes or a blob of them. Throws a `ZipError`
 * if they are not those of the directory.
 */
export async function unpack(packed, { size, crc32, isCompressed }, write) {
  const checksum = new CRC32();
  const pieces = piecesOf(packed, isCompressed ? compressedPiece : storedPiece);
  const stream = isCompressed ? pieces.pipeThrough(new DecompressionStream("deflate-raw")) : pieces;
  const reader = stream.getReader();
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read().catch(error => {
      // Chromium reports damaged data as a type error; other errors are those of the file.
      throw error instanceof TypeError ? new ZipError("damaged") : error;
    });
    if (done) break;
    length += value.length;
    if (length > size) {
      reader.cancel().catch(() => {});
      throw new ZipError("damaged");
    }
    checksum.update(value);
    await write(value);
  }
  if (length !== size || checksum.value !== crc32) throw new ZipError("damaged");
}

function piecesOf(packed, length) {
  const isBlob = packed instanceof Blob;
  const size = isBlob ? packed.size : packed.length;
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= size) return controller.close();
      const piece = packed.slice(at, at + length);
      at += length;
      controller.enqueue(isBlob ? new Uint8Array(await piece.arrayBuffer()) : piece);
    },
  }, { highWaterMark: 0 });
}
