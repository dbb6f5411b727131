"""Pictures to upload."""
import os, pathlib, struct, subprocess, zlib


def png(place, color, width=640, height=480, date=None):
    """Writes a PNG with a gradient of one color. The date is the file's modification time."""
    rows = b"".join(
        b"\0" + b"".join(bytes((part * (column + 1) // width) for part in color) for column in range(width))
        for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    place = pathlib.Path(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    if date:
        os.utime(place, (date, date))
    return str(place)


def jpeg(place, color, date=None, **size):
    """Writes the same picture as a JPEG."""
    source = png(str(place) + ".png", color, **size)
    subprocess.run(["vips", "copy", source, str(place)], check=True)
    os.unlink(source)
    if date:
        os.utime(place, (date, date))
    return str(place)
