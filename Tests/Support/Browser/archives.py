"""ZIP archives to upload, also damaged ones, and an export of Google Photos."""
import json, pathlib, struct, warnings, zipfile
from pictures import jpeg, png


class Archive:
    """Writes an archive. Its bytes can be changed afterwards as no program writes them."""

    def __init__(self, place):
        self.place = pathlib.Path(place)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.file = zipfile.ZipFile(self.place, "w")
        self.changes, self.damaged = [], []

    def add(self, name, content, packed=False):
        content = content.encode() if isinstance(content, str) else content
        with warnings.catch_warnings(action="ignore"):
            self.file.writestr(
                zipfile.ZipInfo(name, (2024, 3, 10, 12, 0, 0)), content,
                zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)
        return self

    def change(self, name, position, form, value):
        """Changes a field of a file's entry in the directory."""
        self.changes.append((name.encode(), position, form, value))
        return self

    def rename(self, name, raw):
        """Gives a file a name in bytes of the same length."""
        assert len(name.encode()) == len(raw), name
        self.changes.append((name.encode(), 46, None, raw))
        return self

    def damage(self, name):
        """Overwrites the beginning of a file's bytes."""
        self.damaged.append(name.encode())
        return self

    def close(self):
        self.file.close()
        content = bytearray(self.place.read_bytes())
        for name in self.damaged:
            start = content.index(name) + len(name)
            content[start:start + 8] = b"\xff" * 8
        for name, position, form, value in self.changes:
            start = content.rindex(b"PK\1\2", 0, content.rindex(name))
            raw = value if form is None else struct.pack(form, value)
            content[start + position:start + position + len(raw)] = raw
        self.place.write_bytes(content)
        return str(self.place)


# Positions in an entry of the directory.
FLAGS, METHOD, CHECKSUM, SIZE = 8, 10, 16, 24


def picture(number, kind=png):
    """Returns the bytes of a small picture without a date, different for each number."""
    place = pathlib.Path("pictures") / f"{number}.{kind.__name__}"
    kind(place, (number % 256, number * 7 % 256, 120 + number // 256), width=64, height=48)
    return place.read_bytes()


def description(title, taken, **members):
    """Returns what Google Photos writes beside a photo."""
    return json.dumps({"title": title, "photoTakenTime": {"timestamp": str(taken)}, **members})


YEAR = "Takeout/Google Photos/Photos from 2023/"
OLDER = "Takeout/Google Photos/Fotos von 2019/"
ALBUM = "Takeout/Google Photos/Summer/"
TAKEN = 1_688_212_800
LONG = "Screenshot_20231027_123303_com.example.application"


# Names of photos and descriptions in the folder of a year, each with the title in the description.
NAMES = [
    ("DSC_1(1).JPG", "DSC_1.JPG(1)", "DSC_1.JPG"), ("DSC_1.JPG", "DSC_1.JPG", "DSC_1.JPG"),
    ("dsc_1.png", "dsc_1.png", "dsc_1.png"), ("Scan(1).png", "Scan(1).png.supplemental-metadata", "Scan(1).png"),
    ("Scan(1)(1).png", "Scan(1).png.supplemental-metadata(1)", "Scan(1).png"),
    ("Scan(1)-bearbeitet.png", None, None), ("50_ off_.jpg", "50_ off_.heic", "50% off?.heic"),
    ("image-edited.jpg", "image-edited.jpg", "image-edited.jpg"), ("image.jpg", "image.jpg", "image.jpg"),
    ("PXL_1.MP.jpg", "PXL_1.MP.jpg.supplemental-metadata", "PXL_1.MP.jpg"), ("PXL_1.MP", None, None),
    ("IMG_9.HEIC", "IMG_9.HEIC.supplemental-meta", "IMG_9.HEIC"), ("IMG_9.MP4", None, None),
    ("n" * 47 + ".png", "n" * 46, "n" * 60 + ".png"), ("n" * 47 + "(1).png", "n" * 46 + "(1)", "n" * 47 + "x.png"),
    ("写真" * 10 + ".png", ("写真" * 10 + ".png.supplemental-metadata")[:46], "写真" * 10 + ".png"),
    ("😀" * 23 + ".png", "😀" * 23, "😀" * 30 + ".png"), ("cafe\u0301.png", "caf\u00e9.png", "caf\u00e9.png"),
    (".hidden.png", ".hidden.png", ".hidden.png"), ("noending", "noending", "noending"),
]


def takeout():
    """Returns the files of an export by path, in two parts: of some photos the description is in the other one."""
    beach, lake, long = picture(200, jpeg), picture(201), picture(203)
    first = {
        YEAR + "IMG_1.jpg": beach, YEAR + "IMG_2.png": lake, YEAR + "IMG_2.png.supplemental-metadata.json":
            description("IMG_2.png", TAKEN + 60, geoData={"latitude": 41.9, "longitude": 12.5}),
        YEAR + "IMG_1-edited.jpg": picture(202, jpeg), YEAR + "a.png": picture(204), YEAR + "a(1).png": picture(205),
        YEAR + "a.png.json": description("a.png", TAKEN + 120),
        YEAR + "a.png(1).json": description("a.png", TAKEN + 180, archived=True),
        YEAR + LONG[:47] + ".png": long, ALBUM + "IMG_1.jpg": beach, ALBUM + "alone.png": picture(206),
        "Takeout/Google Photos/Papierkorb/gone.png": picture(210), YEAR + "IMG_2-수정됨.png": picture(211),
        YEAR + "old.png": picture(207), YEAR + "old.png.json": description("old.png", TAKEN, trashed=True),
        "Takeout/archive_browser.html": "<html>", "Takeout/Drive/scan.png": picture(208),
    }
    second = {
        YEAR + "IMG_1.jpg.json": description("IMG_1.jpg", TAKEN, favorited=True),
        YEAR + LONG[:46] + ".json": description(LONG + ".png", TAKEN + 240),
        ALBUM + "metadata.json": json.dumps({"title": "Summer in Rome", "date": {"timestamp": "1"}}),
        ALBUM + "IMG_2.png.json": description("IMG_2.png", TAKEN + 60),
        YEAR + "user-generated-memory-titles.json": "{}", YEAR + "Größe.png": picture(209),
        YEAR + "Größe.png.json": description("Größe.png", TAKEN + 300),
    }
    for number, (photo, described, title) in enumerate(NAMES):
        first[OLDER + photo] = picture(220 + number)
        if described:
            second[f"{OLDER}{described}.json"] = description(title, TAKEN - 86_400 * number)
    return first, second
