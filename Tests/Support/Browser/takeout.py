"""ZIP archives and exports of Google Photos in the browser, with the same result as on the command line."""
import json, os, pathlib, re, subprocess, zipfile
from archives import CHECKSUM, FLAGS, METHOD, SIZE, Archive, picture, takeout
from pictures import jpeg
from portal import SERVER, Browser
from selenium.webdriver.common.by import By

os.chdir(os.environ["HOME"])


def photolala(person, *arguments):
    """Runs the command line on a device of a person."""
    # In the time zone of the browser.
    zone = {"TZ": os.environ["TZ"]} if "TZ" in os.environ else {}
    return subprocess.run(
        [os.environ["PHOTOLALA"], *arguments, "--profile-dir", person, "--json"], check=True, capture_output=True,
        text=True, env={"PATH": os.environ["PATH"], "HOME": os.getcwd(), **zone}).stdout


def library(person):
    """Returns what the command line lists of a person's photos."""
    photolala(person, "signin", "--provider", "apple", "--dev-user", person, "--server", SERVER)
    return {
        photo["path"]: [photo.get(name) for name in ("md5", "taken", "modified", "location", "isFavorite", "isHidden")]
        for photo in json.loads(photolala(person, "list"))["photos"] if not photo["path"].endswith(".json")
    }


bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").go("/library")

# The photos of an archive are in a folder of its name. Files that cannot be read are reported one by one.
holiday = Archive("holiday.zip").add("stored.png", picture(1)).add("packed.png", picture(2), packed=True)
holiday.add("folder/inside.png", picture(3)).add("GrXXe.png", picture(4)).rename("GrXXe.png", b"Gr\x94\xe1e.png")
holiday.add("notes.txt", "no picture").add("list.json", "{}")
holiday.add("secret.png", picture(5)).change("secret.png", FLAGS, "<H", 1)
holiday.add("wrong.png", picture(6)).change("wrong.png", CHECKSUM, "<I", 7)
holiday.add("torn.png", picture(15), packed=True).damage("torn.png")
holiday.add("bomb.png", picture(7) + bytes(50 << 20), packed=True).change("bomb.png", SIZE, "<I", 5000)
holiday.add("other.png", picture(8)).change("other.png", METHOD, "<H", 12).add("../evil.png", picture(9))
holiday.add("big.png", picture(10) + bytes(40 << 20), packed=True).add("__MACOSX/._stored.png", "x")
bob.bring([holiday.close()])
bob.has_soon("5 photos uploaded · 7 files were not added").has_soon("1 other file was skipped.")
# All have pictures, also the large one.
bob.has_not("no preview")
lines = bob.lines("#upload-files")
assert sorted(lines[:7]) == [
    "holiday/../evil.png File name is not supported",
    "holiday/bomb.png Damaged in the archive. Download the archive again.",
    "holiday/notes.txt Not a supported photo or video",
    "holiday/other.png Unsupported compression. Unpack the archive, then upload the files.",
    "holiday/secret.png Protected by a password. Unpack the archive, then upload the files.",
    "holiday/torn.png Damaged in the archive. Download the archive again.",
    "holiday/wrong.png Damaged in the archive. Download the archive again.",
], lines
added = ["stored.png", "packed.png", "folder/inside.png", "Größe.png", "big.png"]
assert lines[7:] == [f"holiday/{name} Added" for name in added], lines
bob.check("archive-uploaded")
left = bob.driver.execute_async_script("""const done = arguments[0];
    (async () => { const names = [];
      for await (const name of (await (await navigator.storage.getDirectory()).getDirectoryHandle("uploads")).keys()) {
        names.push(name); }
      return names; })().then(done)""")
assert left == [], left

# An archive with the fields of ZIP64, one around a folder of its name, a cut one, and one of another kind.
zipfile.ZIP64_LIMIT = 10
large = Archive("large.zip").add("large/first.png", picture(11)).add("large/second.png", picture(12), packed=True)
large = large.close()
zipfile.ZIP64_LIMIT = (1 << 31) - 1
pathlib.Path("cut.zip").write_bytes(pathlib.Path("holiday.zip").read_bytes()[:-100])
pathlib.Path("takeout-1.tgz").write_bytes(b"\x1f\x8b")
own = Archive("own.zip").add("photolala/export.json", "{}").add("photolala/catalog.csv", "").close()
bob.go("/library").bring([large, "cut.zip", "takeout-1.tgz", own]).has_soon("2 photos uploaded · 3 files were not added")
assert bob.lines("#upload-files") == [
    "own.zip This is an export of Photolala. Import it with the command line: photolala import FILE",
    "takeout-1.tgz Only ZIP archives can be opened. Choose .zip at takeout.google.com, or unpack this one.",
    "cut.zip Not a ZIP archive, or incomplete. Download it again.", "large/first.png Added", "large/second.png Added",
], bob.lines("#upload-files")

# Two parts of an export: photos are placed, dated and marked as Google Photos says, and its albums are filled.
carol = Browser()
carol.go("/create-account").press("Create account with Apple").press("carol").go("/library")
first, second = takeout()
parts = []
for number, files in ((1, first), (3, second)):
    part = Archive(f"takeout-20260101T000000Z-00{number}.zip")
    for name, content in files.items():
        part.add(name, content, packed=number == 1 and not name.endswith("a.png"))
    parts.append(part.close())
carol.bring(parts).has_soon("The photos are in 1 album.").has(
    " photos uploaded", "29 other files were skipped.",
    "2 files in the Google Photos trash were not added.",
    "Parts of the export are missing: takeout-20260101T000000Z-002.zip. Upload all parts together.")
# Some have equal bytes: the library has them when the second one is offered.
assert sum(map(int, re.findall(r"\d+", carol.all("#upload-state")[0].text))) == 30, carol.all("#upload-state")[0].text
carol.check("takeout-uploaded").until(lambda: "IMG_1.jpg, July 1, 2023" in carol.pictures(), "no photo appears")
carol.has_not("Show new photos")
carol.go("/library/favorites")
assert carol.pictures() == ["IMG_1.jpg, July 1, 2023", "IMG_1-edited.jpg, July 1, 2023"], carol.pictures()
carol.go("/library/archive")
assert carol.pictures() == ["a(1).png, July 1, 2023"], carol.pictures()
carol.go("/library/albums").press("Summer in Rome\n3 items")
assert {name.split(",")[0] for name in carol.pictures()} == {"IMG_1.jpg", "IMG_2.png", "alone.png"}, carol.pictures()

# The command line imports the same export to the same paths, with the same dates, places and marks.
alice = Browser()
alice.go("/create-account").press("Create account with Apple").press("alice")
photolala("alice", "signin", "--provider", "apple", "--dev-user", "alice", "--server", SERVER)
photolala("alice", "import", "takeout", *parts)
expected = library("alice")
assert library("carol") == expected, (library("carol"), expected)
assert expected["Google Photos/2023/IMG_1.jpg"][4] and expected["Google Photos/2023/IMG_2.png"][3], expected
# A later import adds only the descriptions, which browsers do not upload.
photolala("carol", "import", "takeout", *parts)
assert library("carol") == expected

# An unpacked export in a folder, of which the account has all photos.
for name, content in [*first.items(), *second.items()]:
    place = pathlib.Path("unpacked") / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content if isinstance(content, bytes) else content.encode())
carol.go("/library").driver.find_element(By.ID, "folder").send_keys(os.path.abspath("unpacked"))
carol.has_soon("The photos are in 1 album.").has("30 files are already in your photos.", "29 other files were skipped.")
assert all(line.endswith("Already in your photos") for line in carol.lines("#upload-files"))
assert library("carol") == expected

# What was removed from an album stays removed, and a deleted album stays deleted.
carol.go("/library/albums").press("Summer in Rome\n3 items").choose(0).press("Remove from album")
carol.go("/library").bring(parts).has_soon("The photos are in 1 album.")
carol.go("/library/albums").has("Summer in Rome\n2 items")

# A folder without an export is uploaded as it is.
jpeg("plain/2023-07-01/day.jpg", (1, 2, 3))
pathlib.Path("plain/notes.txt").write_text("no picture")
carol.go("/library").driver.find_element(By.ID, "folder").send_keys(os.path.abspath("plain"))
carol.has_soon("1 photo uploaded · 1 file was not added")
assert carol.lines("#upload-files") == [
    "plain/notes.txt Not a supported photo or video", "plain/2023-07-01/day.jpg Added"], carol.lines("#upload-files")

# An archive that is dropped on the page.
dropped = Archive("dropped.zip").add("a.png", picture(14)).close()
carol.go("/library").driver.execute_script("""const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(arguments[0])], "dropped.zip"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));""",
    list(pathlib.Path(dropped).read_bytes()))
carol.has_soon("1 photo uploaded.")
assert carol.lines("#upload-files") == ["dropped/a.png Added"], carol.lines("#upload-files")

# The upload of an archive resumes after the store was unreachable.
late = Archive("late.zip").add("late/late.png", picture(13), packed=True).close()
carol.go("/library").blocks(os.environ["STORE"] + "/*").bring([late])
carol.has_soon("Can’t connect to your photo storage").blocks().has_soon("1 photo uploaded.")
for browser in (bob, carol, alice):
    browser.close()
print("DONE")
