"""Bob's photos in the portal: uploading, viewing, moving to the trash and restoring."""
import hashlib, json, os, pathlib, re, subprocess, urllib.parse, zipfile
import requests
from pictures import jpeg, png
from portal import SERVER, Browser
from selenium.webdriver.common.by import By

os.chdir(os.environ["HOME"])
FOLDER = pathlib.Path("pictures")
MARCH, APRIL = 1710072000, 1712750400



def photolala(*arguments):
    """Runs the command line on another device of Bob's."""
    return subprocess.run(
        [os.environ["PHOTOLALA"], *arguments, "--profile-dir", "device", "--json"], check=True, capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": os.getcwd()}).stdout


bob = Browser()
months = lambda: [each.get_attribute("textContent") for each in bob.all("#timeline h2")]
bob.go("/create-account").press("Create account with Apple").press("bob")
bob.press("Photos").is_at("/library").has("There are no photos here yet.").check("library-empty")

# Bob uploads photos. A file that is not a photo is reported, and the others are added.
FOLDER.mkdir()
(FOLDER / "notes.jpg").write_text("no picture at all")
names = [
    png(FOLDER / "beach.png", (250, 200, 90), date=MARCH), png(FOLDER / "Größe <b>.png", (40, 160, 90), date=MARCH + 60),
    jpeg(FOLDER / "lake.jpg", (60, 90, 220), date=APRIL, width=1200, height=300), str(FOLDER / "notes.jpg"),
]
bob.bring(names).has_soon("3 photos uploaded · 1 file was not added")
assert bob.lines("#upload-files") == [
    "notes.jpg Not a supported photo or video", "beach.png Added", "Größe <b>.png Added", "lake.jpg Added",
], bob.lines("#upload-files")
# The page, which was empty, shows them.
bob.until(lambda: bob.all("#timeline img")).has_not("There are no photos here yet.", "Show new photos")
bob.check("library-uploaded")

# The photos are grouped by month, newest first, and the pictures load directly from the store.
bob.go("/library")
assert months() == ["April 2024", "March 2024"], bob.text
assert bob.pictures() == ["lake.jpg, April 10, 2024", "Größe <b>.png, March 10, 2024", "beach.png, March 10, 2024"]
sizes = "return Array.from(document.querySelectorAll('.grid img'), image => [image.naturalWidth, image.naturalHeight])"
assert bob.script(sizes) == [[1024, 256], [512, 384], [512, 384]], bob.script(sizes)
# The browser makes thumbnails of the same sizes as the other clients.
edges = """const path = document.querySelector("script[src*='/assets/']").src.replace(/[^/]+$/, "thumbnail_size.js");
    import(path).then(({ thumbnailEdge }) => arguments[1](arguments[0].map(
        ([width, height]) => thumbnailEdge({ width, height }))))"""
sizes = [(1, 1), (256, 256), (511, 512), (1024, 512), (1025, 512), (1000, 3000), (4001, 1000), (12000, 500), (500, 12000)]
found = bob.driver.execute_async_script(edges, sizes)
assert found == [512, 512, 512, 512, 513, 768, 1024, 1024, 1024], found
assert bob.script("return document.querySelector('.grid img').src").startswith(os.environ["STORE"])
bob.check("library")

# Uploading the same photos again reports them as present.
bob.bring(names[:2]).has_soon("2 files are already in your photos.")
assert bob.lines("#upload-files") == [f"{name} Already in your photos" for name in ("beach.png", "Größe <b>.png")]
bob.has_not("uploaded.")

# An archive without photos is reported. The panel closes, and the focus returns to the choice of files.
with zipfile.ZipFile("empty.zip", "w"):
    pass
bob.bring(["empty.zip"]).has_soon("1 file was not added.")
assert bob.lines("#upload-files") == ["empty.zip No photos or videos in this archive"], bob.lines("#upload-files")
bob.named("Close").click()
assert not bob.all("#upload")[0].is_displayed()
assert bob.script("return document.activeElement.id") == "files"

# On a phone the panel is one line until it is opened.
bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False})
bob.go("/library").bring(names[:1]).has_soon("1 file is already in your photos.")
assert bob.all("#upload")[0].size["height"] < 120, bob.all("#upload")[0].size
assert not bob.all("#upload-files")[0].is_displayed()
bob.named("Show details").click()
assert bob.all("#upload-files")[0].is_displayed()
assert bob.named("Hide details").get_attribute("aria-expanded") == "true"
# So is one on its side, whose window is low.
bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": 844, "height": 390, "deviceScaleFactor": 1, "mobile": False})
bob.go("/library").bring(names[:1]).has_soon("1 file is already in your photos.")
assert not bob.all("#upload-files")[0].is_displayed()
bob.named("Show details").click()
assert bob.all("#upload-files")[0].is_displayed()
# After another success it is a line again.
bob.bring(names[:1]).until(lambda: not bob.all("#upload-files")[0].is_displayed(), "the panel stays open")
bob.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

# A single photo at full size, and its neighbours.
bob.go("/library").all("#timeline a")[1].click()
bob.arrives("/library/photo").check("photo").named("Information").click()
bob.has("Größe <b>.png", "640 × 480", "File name\nGröße <b>.png", "Folder\nUploads").check("photo-information")
assert bob.script("return document.querySelector('.large').naturalWidth") == 640
answer = requests.get(bob.named("Download").get_attribute("href"), cookies=bob.cookie_values())
assert answer.content == pathlib.Path(names[1]).read_bytes()
named = answer.headers["content-disposition"]
assert named == "attachment; filename*=UTF-8''" + urllib.parse.quote("Größe <b>.png"), named
bob.named("Older").click()
bob.has_soon("beach.png").named("Newer").click()
bob.has_soon("Größe <b>.png").press("Your photos").until(lambda: len(bob.all(".grid input")) == 3)

# Move to the trash and restore. Its picture is not that of deleting permanently.
picture = lambda name: bob.named(name).find_element(By.TAG_NAME, "path").get_attribute("d")
trash = bob.choose(0).choose(2).has("2 selected") and picture("Move to trash")
bob.press("Move to trash").is_at("/library").has_soon("2 items moved to trash")
assert bob.pictures() == ["Größe <b>.png, March 10, 2024"]
bob.press("Trash").is_at("/library/trash")
assert bob.pictures() == ["lake.jpg, April 10, 2024", "beach.png, March 10, 2024"]
bob.check("trash")
# Its dates are those of the move, and say so. One sentence explains it.
dates = [each.get_attribute("textContent") for each in bob.all("#timeline h3 > span")]
assert dates and all(date.startswith("Moved to trash on ") for date in dates), dates
assert all(date.startswith("Moved ") for date in bob.script(
    "return [...document.querySelectorAll('#timeline h3')].map(each => each.dataset.short)"))
assert all("Moved" not in each.get_attribute("textContent") for each in bob.all("#timeline h2, #timeline .month"))
assert bob.all("#empty")[0].rect["height"] < 60 and bob.text.count("permanently.") == 1, bob.text
# On phones, the first date has space above it, no space is left beside the search, and titles of all pages are equal.
side = lambda selector, side: bob.script(f"return document.querySelector('{selector}').getBoundingClientRect().{side}")
bob.driver.set_window_size(390, 900)
sizes = set()
for path in ("/library/trash", "/library", "/library/albums", "/library/places", "/account", "/account/devices"):
    bob.go(path).until(lambda: bob.all("h1"))
    sizes.add(bob.script("return getComputedStyle(document.querySelector('h1')).fontSize"))
    assert side(".actions", "left") - side(".search", "right") <= 12, path
    if path == "/library":
        assert side("#timeline", "top") - side(".heading", "bottom") >= 8, "the first date is below the buttons"
assert len(sizes) == 1, sizes
bob.driver.set_window_size(1280, 900)
bob.go("/library/trash").choose(1)
assert picture("Delete permanently") != trash
bob.press("Restore").has_soon("1 item restored")
bob.go("/library")
assert bob.pictures() == ["Größe <b>.png, March 10, 2024", "beach.png, March 10, 2024"]
# Uploading a photo that is in the trash restores it. It appears by itself, at its place.
bob.bring(names[2:3]).has_soon("1 photo uploaded.").until(lambda: len(bob.all(".grid li")) == 3, "no photo appears")
assert bob.pictures()[0].startswith("lake.jpg") and bob.script("return scrollY") == 0
bob.has_not("Show new photos")

# Permanent deletion of selected photos, then of all. Each requires confirmation, and Cancel deletes nothing.
doomed = [png(FOLDER / f"doomed{number}.png", (number, 1, 7), date=APRIL + 30 + number) for number in range(3)]
bob.go("/library").bring(doomed).has_soon("3 photos uploaded.").go("/library")
bob.choose(0).choose(1).choose(2).press("Move to trash").has_soon("3 items moved to trash").press("Trash")
bob.choose(0).press("Delete permanently").has("permanently deletes 1 item (", "can’t be undone").check("question-delete")
bob.named("Cancel").click()
bob.until(lambda: not bob.all("#question[open]")).is_at("/library/trash").has("1 selected")
assert len(bob.pictures()) == 3
bob.press("Delete permanently").press("Delete permanently").is_at("/library/trash")
bob.has_soon("1 item permanently deleted")
assert len(bob.pictures()) == 2
bob.script_is_off(True).go("/library/trash").choose(1).press("Delete permanently").press("Delete permanently")
bob.is_at("/library/trash").has("1 item permanently deleted").script_is_off(False)
bob.go("/library/trash").press("Empty trash").has("permanently deletes 1 item (").check("question-empty")
bob.press("Empty trash").is_at("/library/trash").has_soon("1 item permanently deleted").has("The trash is empty.")
bob.go("/library")
assert len(bob.pictures()) == 3

# The upload resumes after the store was unreachable.
bob.blocks(os.environ["STORE"] + "/*").bring([png(FOLDER / "late.png", (9, 9, 90), date=APRIL + 60)])
bob.has_soon("Can’t connect to your photo storage").blocks().has_soon("1 photo uploaded.")

# Other devices restore the uploads byte for byte, and the browser shows the backups of other devices.
photolala("signin", "--provider", "apple", "--dev-user", "bob", "--server", SERVER)
photolala("restore", "--to", "restored")
for name in names[:3]:
    assert (pathlib.Path("restored/Uploads") / pathlib.Path(name).name).read_bytes() == pathlib.Path(name).read_bytes()
for number in range(130):
    png(f"camera/IMG_{number:03}.png", (number, 255 - number, 99), 24, 48, date=1577880000 + 86400 * (number % 4))
photolala("backup", "camera")
bob.go("/library")
assert months() == ["April 2024", "March 2024", "January 2020"], bob.text
counts = [len(block.find_elements(By.TAG_NAME, "li")) for block in bob.all(".grid")]
# The third block loads only if the window is tall enough to be near it.
assert counts[:2] == [2, 2] and counts[3] == 0, counts
# Blocks reserve about their height before they load, and load near the visible area.
height = bob.script("return document.documentElement.scrollHeight")
bob.script("window.scrollTo(0, document.documentElement.scrollHeight)")
bob.until(lambda: [len(block.find_elements(By.TAG_NAME, "li")) for block in bob.all(".grid")] == [2, 2, 120, 10])
loaded = bob.script("return document.documentElement.scrollHeight")
# Equal photos, whose rows end equally early, are the worst case.
assert abs(loaded - height) < 0.3 * height, (height, loaded)
assert len(bob.pictures()) == 134
bob.check("library-scrolled")

# An older tab reloads the changed library and keeps its scroll position and selection.
bob.go("/library").choose(1).has("1 selected")
first = bob.driver.current_window_handle
png("camera2/new.png", (1, 2, 3), 32, 24, date=APRIL + 7200)
photolala("backup", "camera2")
bob.driver.switch_to.new_window("tab")
bob.go("/library").has("Apr 10, 2024").driver.close()
bob.driver.switch_to.window(first)
bob.script("window.scrollTo(0, document.documentElement.scrollHeight)")
last = "#timeline section:last-child .grid:last-child li"
bob.until(lambda: len(bob.all(last)) == 10, "the older tab stays without the photos")
bob.script("window.scrollTo(0, 0)")
bob.until(lambda: len(bob.all(".grid li")) == 135, "the older tab stays without the photos").has("1 selected").pictures()
assert len(bob.all(".grid input:checked")) == 1
bob.choose(0).press("Move to trash").has_soon("2 items moved to trash")
bob.go("/library/trash")
assert bob.pictures()[0].startswith("new.png"), bob.pictures()
bob.choose(1).press("Restore").has_soon("1 item restored")

# Shift selects a range of photos across blocks.
bob.go("/library?from=2").until(lambda: len(bob.all(".grid input")) >= 124)
bob.script("window.scrollTo(0, document.documentElement.scrollHeight)")
bob.until(lambda: len(bob.all(".grid input")) == 134)
bob.choose(4).choose(133, shift=True).has("130 selected").press("Move to trash").has_soon("130 items moved to trash")
bob.until(lambda: len(bob.pictures()) == 4)
trashed = json.loads(photolala("trash", "list"))
assert len(trashed["photos"]) == 131, len(trashed["photos"])

# The script's MD5 is correct at every block boundary and beyond 2^32 bits.
bob.go("/library")
for length in [*range(0, 131), 1 << 20, (1 << 29) + 7]:
    found = bob.driver.execute_async_script("""const [length, done] = arguments;
        const md5 = document.querySelector("script[type=module]").src.replace("library.js", "md5.js");
        import(md5).then(({ MD5 }) => { const md5 = new MD5(), piece = new Uint8Array(1 << 20).fill(7);
          for (let rest = length; rest > 0; rest -= piece.length) md5.update(piece.subarray(0, Math.min(rest, piece.length)));
          done(md5.digest()); });""", length)
    expected = hashlib.md5()
    for _ in range(length >> 20):
        expected.update(b"\7" * (1 << 20))
    expected.update(b"\7" * (length & ((1 << 20) - 1)))
    assert found == expected.hexdigest(), length

# Markup in a file name is escaped.
bob.bring([png(FOLDER / "\u0600<b id=evil>\"\u0301.png", (5, 5, 5), date=APRIL + 90)]).has_soon("1 photo uploaded.")
bob.go("/library")
assert not bob.all("#evil") and "\u0600<b id=evil>" in bob.pictures()[0], bob.pictures()
bob.choose(0).press("Move to trash").has_soon("1 item moved to trash")

# Without scripts the pages still show photos and move them to the trash.
bob.script_is_off(True).go("/library").has("To add photos here, turn on JavaScript for this site.")
assert len(bob.pictures()) == 4 and bob.all("#upload")[0].get_attribute("hidden")
bob.choose(0).press("Move to trash").has("1 item moved to trash")
# Nothing is selected, as in browsers that always show the bar.
assert not bob.all("#chosen > .bar")[0].is_displayed()
bob.script("document.querySelector('#chosen').submit()")
bob.has_soon("0 items moved to trash").script_is_off(False)

# Submitting an outdated form in another tab has no effect, and the page then shows the current library.
bob.go("/library").choose(0)
first = bob.driver.current_window_handle
bob.driver.switch_to.new_window("tab")
bob.go("/library").choose(0).press("Move to trash").has_soon("1 item moved to trash")
bob.driver.switch_to.window(first)
bob.press("Move to trash").has_soon("0 items moved to trash")
assert len(bob.pictures()) == 2
bob.go("/library/photo?id=" + "0" * 32).has("not")

# A deletion that needs several requests continues automatically, and the devices see the result.
for number in range(510):
    png(f"many/{number:03}.png", (number % 256, number // 256, 50), 8, 8, date=APRIL + 9000 + number)
photolala("backup", "many")
photolala("trash", "put", "--since", "2000", "--yes")
bob.go("/library/trash").press("Empty trash")
count = int(re.search(r"permanently deletes (\d+) item", bob.text)[1])
assert count > 600, count
bob.named("Empty trash").click()
bob.has_soon(f"{count} items permanently deleted").has("The trash is empty.")
assert json.loads(photolala("trash", "list"))["photos"] == []
bob.close()
print("DONE")
