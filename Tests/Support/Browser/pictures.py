"""Pictures to upload."""
import os, pathlib, random, struct, subprocess, zlib


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


def long(place, seed, length=33 << 20):
    """Writes a picture that is followed by bytes up to this length, so that a browser sends it in parts."""
    png(place, (seed, 90, 40))
    with open(place, "ab") as file:
        file.write(random.Random(seed).randbytes(length - file.tell()))
    return str(place)


def exif(place=None, **texts):
    """Returns Exif metadata with a fixed exposure. The texts are `make`, `model` and `lens`."""
    tiff = bytearray(struct.pack("<2sHI", b"II", 42, 8))

    def directory(fields):
        """Appends a directory of tag, type, count and value. A value of up to four bytes is inside of its entry."""
        start, values = len(tiff), b""
        end = start + 6 + 12 * len(fields)
        entries = b""
        for tag, kind, count, value in sorted(fields):
            entries += struct.pack("<HHI", tag, kind, count)
            if len(value) <= 4:
                entries += value.ljust(4, b"\0")
            else:
                entries += struct.pack("<I", end + len(values))
                values += value
        tiff.extend(struct.pack("<H", len(fields)) + entries + struct.pack("<I", 0) + values)
        return start

    text = lambda tag, value: (tag, 2, len(value) + 1, value.encode() + b"\0")
    fraction = lambda tag, *values: (tag, 5, len(values), b"".join(struct.pack("<II", *value) for value in values))
    short = lambda tag, value: (tag, 3, 1, struct.pack("<H", value))
    pointer = lambda tag, value: (tag, 4, 1, struct.pack("<I", value))
    # The first directory is written last, when the places of the others are known.
    main = [text(tag, texts[name]) for name, tag in [("make", 0x10F), ("model", 0x110)] if name in texts]
    lens = [text(0xA434, texts["lens"])] if "lens" in texts else []
    main.append(pointer(0x8769, directory(lens + [
        fraction(0x829A, (1, 120)), fraction(0x829D, (18, 10)), short(0x8827, 64), fraction(0x920A, (57, 10)),
        short(0xA405, 26)])))
    if place:
        degrees = lambda tag, value: fraction(tag, (round(abs(value) * 10_000), 10_000), (0, 1), (0, 1))
        latitude, longitude = place
        main.append(pointer(0x8825, directory([
            text(1, "N" if latitude >= 0 else "S"), degrees(2, latitude), text(3, "E" if longitude >= 0 else "W"),
            degrees(4, longitude)])))
    tiff[4:8] = struct.pack("<I", directory(main))
    return bytes(tiff)


def with_exif(file, metadata):
    """Adds Exif metadata to a JPEG or PNG, and returns its name."""
    path = pathlib.Path(file)
    date, data = path.stat().st_mtime, path.read_bytes()
    if data[:2] == b"\xff\xd8":
        at, part = 2, struct.pack(">HH6s", 0xFFE1, len(metadata) + 8, b"Exif") + metadata
    else:
        at, part = 33, struct.pack(">I", len(metadata)) + b"eXIf" + metadata
        part += struct.pack(">I", zlib.crc32(part[4:]))
    path.write_bytes(data[:at] + part + data[at:])
    os.utime(path, (date, date))
    return file


def box(kind, *contents):
    """Returns a box of ISO/IEC 14496-12."""
    content = b"".join(contents)
    return struct.pack(">I4s", len(content) + 8, kind) + content


def heic(place, metadata, date):
    """Writes a HEIC file that has Exif metadata and no picture."""
    item = struct.pack(">I", 0) + metadata
    item_information = box(b"iinf", struct.pack(">IH", 0, 1), box(
        b"infe", struct.pack(">B3xHH4sB", 2, 1, 0, b"Exif", 0)))
    file_type = box(b"ftyp", b"heic", struct.pack(">I", 0), b"mif1heic")
    handler = box(b"hdlr", struct.pack(">II4s12xB", 0, 0, b"pict", 0))

    def meta(offset):
        location = box(b"iloc", struct.pack(">IHHHHHII", 0, 0x4400, 1, 1, 0, 1, offset, len(item)))
        return box(b"meta", struct.pack(">I", 0), handler, item_information, location)

    offset = len(file_type) + len(meta(0)) + 8
    pathlib.Path(place).write_bytes(file_type + meta(offset) + box(b"mdat", item))
    os.utime(place, (date, date))
    return str(place)


def video(place, *options, date, seconds=2, codec="libx264"):
    """Writes a video with a sound and a test picture."""
    pathlib.Path(place).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc=d={seconds}:s=320x240", "-f", "lavfi",
         "-i", f"sine=d={seconds}", "-c:v", codec, "-pix_fmt", "yuv420p", "-c:a", "aac", *options, str(place)],
        check=True, capture_output=True)
    os.utime(place, (date, date))
    return str(place)


def turned(file):
    """Turns the pictures of an MP4 or MOV by a quarter for display, and returns its name."""
    path = pathlib.Path(file)
    date, data = path.stat().st_mtime, bytearray(path.read_bytes())
    # The matrix of the first track's header, in fixed-point numbers (ISO/IEC 14496-12 section 8.3.2).
    at = data.index(b"tkhd") + 44
    data[at:at + 36] = struct.pack(">9i", 0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30)
    path.write_bytes(data)
    os.utime(path, (date, date))
    return file
