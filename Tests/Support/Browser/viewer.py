"""Bob searches his photos, makes some favorites, and looks at them one by one."""
import json, os, pathlib, zipfile
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number, path in enumerate(["Summer/lake", "Summer/beach", "Winter/snow", "Winter/夏の海"]):
    png(f"camera/{path}.png", (number * 60, 99, 200), 640, 480, date=MAY - number * 40 * 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
names = lambda: [alt.split(",")[0] for alt in bob.pictures()]

# Search: a slash goes to the box; folders, dates and kinds are found.
bob.go("/library")
keys("/", "summer", Keys.ENTER)
bob.until(lambda: bob.path == "/library?q=summer")
assert bob.title == "summer" and names() == ["lake.png", "beach.png"], bob.text
bob.has("2 results").check("search").go("/library?q=summer&kind=video")
bob.has("0 results", "No photos found").check("search-empty").press("All").has("2 results")
for text, found in [("may 2024", ["lake.png"]), ("2024-04", ["beach.png"]), ("夏", ["夏の海.png"]), ("png winter", ["snow.png", "夏の海.png"])]:
    bob.fill("q", text)
    keys(Keys.ENTER)
    bob.until(lambda: bob.title == text)
    assert names() == found, (text, names())

# Selected photos are downloaded: several in an archive, also of the same name, one as it is.
png("camera/Summer/again/lake.png", (7, 7, 7), date=MAY - 60)
photolala("backup", "camera")
bob.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": os.getcwd() + "/downloads"})
bob.go("/library?q=summer").choose(0).choose(1).choose(2).named("Download").click()
bob.until(lambda: pathlib.Path("downloads/photos.zip").exists(), "no archive is downloaded")
with zipfile.ZipFile("downloads/photos.zip") as archive:
    assert archive.testzip() is None and archive.namelist() == ["lake.png", "beach.png", "lake (2).png"], archive.namelist()
    assert archive.read("beach.png") == pathlib.Path("camera/Summer/beach.png").read_bytes()
    assert archive.infolist()[2].date_time == (2024, 5, 15, 10, 0, 0), archive.infolist()[2].date_time
bob.choose(1).choose(2).named("Download").click()
bob.until(lambda: pathlib.Path("downloads/lake.png").exists(), "the photo is not downloaded")
assert pathlib.Path("downloads/lake.png").read_bytes() == pathlib.Path("camera/Summer/lake.png").read_bytes()
bob.go("/library?q=again").choose(0).press("Move to trash").has_soon("1 item moved to trash")

# An upload is paused and resumed, and the rest of one is cancelled.
bob.go("/library").driver.execute_cdp_cmd("Network.enable", {})
limit = lambda rate: bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
    "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate})
large = [pathlib.Path(png(f"large/{number}.png", (number, 9, 9), date=MAY - 9_000_000 - number)) for number in (1, 2)]
for file in large:
    file.write_bytes(file.read_bytes() + os.urandom(4_000_000))
    os.utime(file, (MAY - 9_000_000, MAY - 9_000_000))
limit(100_000)
bob.bring(large[:1])
bob.until(lambda: "left" in bob.text, "the time left is not shown")
bob.named("Pause").click()
bob.has_soon("Paused.").named("Resume").click()
limit(-1)
bob.has_soon("1 photo uploaded.")
limit(100_000)
bob.bring(large[1:])
bob.until(lambda: "left" in bob.text)
bob.named("Cancel").click()
bob.has_soon("Cancelled").has_soon("1 file was not added.")
limit(-1)
bob.go("/library")
assert "1.png" in names() and "2.png" not in names()

# Favorites of the selection, also in the command line; the change can be undone.
bob.go("/library?q=summer").choose(0).choose(1).press("Add to favorites").is_at("/library")
bob.has_soon("2 items added to favorites")
assert len(bob.all(".grid .favorite")) == 2 and bob.title == "summer"
bob.press("Undo").has_soon("2 items removed from favorites")
assert not bob.all(".grid .favorite")
bob.choose(1).press("Add to favorites").has_soon("1 item added to favorites").press("Favorites").is_at("/library/favorites")
assert names() == ["beach.png"]
found = json.loads(photolala("list", "--favorites", "--json"))
assert [each["path"] for each in found["photos"]] == ["Summer/beach.png"], found
bob.check("favorites").choose(0).press("Remove from favorites").has_soon("1 item removed from favorites").has("No favorites yet")

# The arrow keys show the photos of the search without another page; the back button leads to the grid.
bob.go("/library?q=png").all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])")).script("window.mark = 1")
keys(Keys.ARROW_RIGHT)
bob.until(lambda: bob.photo.startswith("beach.png"))
# The title is when it was taken. The name is the second part of the tab's title, and in the information.
assert bob.title == "April 5, 2024 at 10:00\u202fAM" and bob.driver.title.startswith(bob.title), (bob.title, bob.driver.title)
bob.named("Older").click()
bob.until(lambda: bob.photo.startswith("snow.png"))
assert bob.script("return window.mark") == 1 and "q=png" in bob.path, bob.path
loaded = """const picture = document.querySelector('.large'); return picture.complete && picture.naturalWidth > 0"""
bob.until(lambda: bob.script(loaded), "the picture does not load")

# Information stays open while turning; Escape closes it first.
keys("i")
bob.until(lambda: "File name\nsnow.png" in bob.text)
bob.has("Dimensions", "640 × 480", "PNG", "Folder\nWinter").has_not("Winter/snow.png")

# On a phone, the information leaves the photo visible, its buttons are in view, and the date is not cut.
bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": 360, "height": 640, "deviceScaleFactor": 1, "mobile": True})
box = lambda selector: bob.script(f"return document.querySelector('{selector}').getBoundingClientRect().toJSON()")
bob.until(lambda: bob.script(loaded))
picture, sheet, bar = box(".large"), box("#info"), box(".acts")
assert 0 < picture["top"] < picture["bottom"] <= sheet["top"] < sheet["bottom"] <= bar["top"] < 640, (picture, sheet, bar)
tools = [box(tool) for tool in ["#favorite", "#share", "#album-add", "#archive-toggle", "#single button"]]
assert all(bar["top"] <= tool["top"] and 0 <= tool["left"] < tool["right"] <= 360 for tool in tools), tools
assert all(each.get_attribute("title") == each.accessible_name for each in bob.all(".acts .tool"))
assert bob.script("const title = document.querySelector('h1'); return title.scrollWidth <= title.clientWidth")
assert box("h1")["right"] <= 360 and bob.script("return document.documentElement.scrollWidth") <= 360
bob.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
keys(Keys.ARROW_LEFT)
bob.until(lambda: "File name\nbeach.png" in bob.text)
keys(Keys.ESCAPE)
bob.until(lambda: "Dimensions" not in bob.text)
keys("f")
bob.until(lambda: bob.all("#favorite[aria-pressed=true]"), "the photo is no favorite")

# Zoom by double click and wheel, within the edges; Escape ends it.
zoom = lambda: bob.script("return document.querySelector('.large').getBoundingClientRect().width / document.querySelector('.large').offsetWidth")
bob.until(lambda: bob.script(loaded))
ActionChains(bob.driver).double_click(bob.all(".large")[0]).perform()
assert abs(zoom() - 2.5) < 0.01, zoom()
bob.script("""document.querySelector('.stage').dispatchEvent(
    new WheelEvent('wheel', { deltaY: -3000, clientX: 10, clientY: 100, bubbles: true, cancelable: true }))""")
assert abs(zoom() - 8) < 0.01, zoom()
edge = bob.script("return document.querySelector('.large').getBoundingClientRect().left")
assert edge <= 0, edge
keys(Keys.ESCAPE)
assert abs(zoom() - 1) < 0.01 and bob.photo.startswith("beach.png"), zoom()

# Swiping with a finger; a tap does nothing.
bob.touch(True)


def swipe(across, down=0, x=400):
    point = {"x": x, "y": 300}
    send = lambda kind, points: bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    send("touchStart", [point])
    for step in (1, 2):
        send("touchMove", [{"x": point["x"] + across * step / 2, "y": point["y"] + down * step / 2}])
    send("touchEnd", [])


swipe(2)
assert bob.photo.startswith("beach.png")
swipe(-200)
bob.until(lambda: bob.photo.startswith("snow.png"), "a swipe does not turn")
# Beside the picture, too.
swipe(200, x=60)
bob.until(lambda: bob.photo.startswith("beach.png"), "a swipe does not turn back")
bob.touch(False)

# A slideshow fills the screen, and ends at the last photo or when the person leaves the full screen.
# The bar with the name is not seen then.
fills = lambda: bob.script("return document.fullscreenElement !== null")
first = bob.path
bob.named("Slideshow").click()
bob.until(fills, "the slideshow does not fill the screen")
bob.until(lambda: bob.script("return getComputedStyle(document.querySelector('.viewer-bar')).opacity") == "0", "the bar stays")
middle, whole = bob.script("""const { top, bottom } = document.querySelector(".large").getBoundingClientRect()
    return [top + bottom, innerHeight]""")
assert abs(middle - whole) <= 2, (middle, whole)
ActionChains(bob.driver).move_by_offset(3, 3).perform()
bob.until(lambda: bob.named("Slideshow").is_displayed(), "a movement does not show the bar").script("document.exitFullscreen()")
bob.until(lambda: not bob.all("#slideshow[aria-pressed=true]"), "the slideshow continues")
bob.go(first)
bob.named("Slideshow").click()
bob.until(lambda: bob.photo.startswith("snow.png"), "the slideshow does not turn")
bob.until(lambda: bob.photo.startswith("夏の海.png"), "the slideshow does not turn")
assert not bob.all("#slideshow[aria-pressed=true]") and not bob.all('a[rel="next"]')
bob.until(lambda: not fills(), "the screen stays filled")
bob.check("viewer", schemes=("light",))
keys(Keys.ESCAPE)
bob.arrives("/library?q=png")

# Escape ends a slideshow, and the next one leads back: the photo is where it was.
bob.driver.set_window_size(500, 500)
bob.go("/library?q=png").pictures()
top = lambda: bob.script("return document.querySelectorAll('.grid a')[2].getBoundingClientRect().top")
bob.script("scrollBy(0, document.querySelectorAll('.grid a')[2].getBoundingClientRect().top - 150)")
bob.until(lambda: bob.script("return scrollY > 20") and bob.pictures())
for turns in ["", "s", Keys.ARROW_RIGHT + Keys.ARROW_LEFT]:
    before = top()
    bob.script("document.querySelectorAll('.grid a')[2].click()")
    bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
    shown = bob.photo
    for key in turns:
        turned = bob.photo
        keys(key)
        if key != "s":
            bob.until(lambda: bob.photo != turned, "the photo does not turn")
    if turns == "s":
        bob.until(lambda: bob.all("#slideshow[aria-pressed=true]"), "no slideshow")
        keys(Keys.ESCAPE)
        bob.until(lambda: bob.all("#slideshow[aria-pressed=false]"), "the slideshow continues")
        assert bob.path.startswith("/library/photo") and bob.photo == shown, bob.path
    keys(Keys.ESCAPE)
    bob.arrives("/library?q=png").until(lambda: len(bob.pictures()) > 2)
    bob.until(lambda: abs(top() - before) < 1, f"the photo is {top() - before} pixels from where it was after {turns!r}")
bob.driver.set_window_size(1280, 900)

# The trash and its undo stay on the page, again and again.
bob.script("document.querySelectorAll('.grid a')[1].click()")
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])")).script("window.isSame = true")
for _ in range(2):
    trashed = bob.photo
    bob.named("Move to trash").click()
    bob.until(lambda: bob.photo != trashed and bob.all(".toast"), "the photo is not moved to the trash")
    bob.named("Undo").click()
    bob.until(lambda: bob.photo == trashed and not bob.all(".toast"), "the photo does not come back")
assert bob.script("return window.isSame"), "the page is another one"

# A page that is refused because there were too many is requested again after the time that the server names. A wait of
# more than two seconds is mentioned.
for seconds in [1, 3]:
    bob.script("""const real = window.fetch
        window.fetch = async (...all) => {
            window.fetch = real
            return new Response("", { status: 429, headers: { "retry-after": arguments[0] } })
        }""".replace("arguments[0]", str(seconds)))
    before = bob.photo
    keys(Keys.ARROW_RIGHT if seconds == 1 else Keys.ARROW_LEFT)
    if seconds > 2:
        bob.has_soon("Waiting for the server")
    bob.until(lambda: bob.photo != before, "the photo does not turn").has_not("Waiting for the server")
assert bob.script("return window.isSame"), "the page is another one"

# Without scripts, search, favorites, turning and information work, too.
bob.script_is_off(True).go("/library?q=summer").all(".grid a")[0].click()
bob.arrives("/library/photo").press("Favorite")
assert bob.all("#favorite[aria-pressed=true]")
bob.press("Older").named("Information").click()
bob.has("beach.png", "Dimensions").press("summer").is_at("/library")
bob.script_is_off(False)

# In the trash, the key deletes permanently, after a question; other changes have no keys there.
named_keys = lambda: [each.get_attribute("textContent") for each in bob.all("#info .keys dd")]
bob.go("/library?q=summer").all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
assert "Move to trash" in named_keys() and "Favorite" in named_keys(), named_keys()
bob.go("/library?q=summer").choose(0).choose(1).press("Move to trash").has_soon("2 items moved to trash").press("Trash")
trashed = names()
bob.all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
assert "Delete permanently" in named_keys(), named_keys()
assert not {"Move to trash", "Favorite", "Archive"} & set(named_keys()), named_keys()
keys(Keys.DELETE)
bob.has_soon("permanently deletes 1 item (").named("Cancel").click()
bob.until(lambda: not bob.all("#question[open]")).go("/library/trash")
assert names() == trashed, names()
# So does the key of a selection.
keys(Keys.DELETE)
assert not bob.all("#question[open]")
bob.choose(0)
keys(Keys.DELETE)
bob.has_soon("permanently deletes 1 item (").press("Delete permanently").has_soon("1 item permanently deleted")
assert names() == trashed[1:], names()
bob.choose(0).press("Restore").has_soon("1 item restored")
bob.close()
print("DONE")
