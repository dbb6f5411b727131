"""Bob groups his photos in albums, in the browser and in the command line."""
import json, os, pathlib
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number, name in enumerate(["lake", "beach", "snow", "city"]):
    png(f"camera/{name}.png", (number * 60, 99, 200), 640, 480, date=MAY - number * 40 * 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
names = lambda: [alt.split(",")[0] for alt in bob.pictures()]

# An album for selected photos, and the way back: place, notice and undo.
bob.go("/library").press("Albums").is_at("/library/albums").has("No albums yet").check("albums-empty")
bob.go("/library").choose(0).choose(1).press("Add to album").is_at("/library").has("2 selected")
bob.fill("name", "Summer").check("album-choice").press("Create").is_at("/library")
bob.has_soon("2 items added to").press("Show album")
assert bob.title == "Summer" and names() == ["lake.png", "beach.png"], (bob.title, names())
# It has the number and the days of its photos, which follow what it has, and a slideshow.
facts = lambda: bob.all("#contents")[0].text.replace("\u2009", " ")
assert facts() == "2 items · Apr 5 – May 15, 2024", facts()
bob.named("Slideshow").click()
bob.arrives("/library/photo").until(lambda: bob.photo.startswith("beach.png"), "the slideshow does not turn").driver.back()
bob.until(lambda: bob.title == "Summer").choose(0).press("Remove from album").has_soon("1 item removed from")
assert facts() == "1 item · Apr 5, 2024", facts()
bob.press("Undo").has_soon("1 item added to")
assert facts() == "2 items · Apr 5 – May 15, 2024", facts()
# On phones they are below the title, above the buttons, and the button that closes a notice is beside its text.
bob.driver.set_window_size(390, 900)
bob.choose(0).press("Remove from album").has_soon("1 item removed from")
side = lambda selector, side: bob.script(f"return document.querySelector('{selector}').getBoundingClientRect().{side}")
assert side("h1", "bottom") <= side("#contents", "top"), "the number is above the title"
assert side("#contents", "bottom") <= side(".heading .compact", "top"), "the number is below the buttons"
assert side(".toast > .tool", "top") < side(".toast p", "bottom"), "the button has a line of its own"
assert side(".toast > .tool", "right") <= side(".toast", "right") and side(".toast", "right") <= 390
bob.press("Undo").has_soon("1 item added to").driver.set_window_size(1280, 900)
# The heading, and what is beside it, is as high as that of all photos.
top = lambda: bob.script("return document.querySelector('h1').getBoundingClientRect().top")
bob.check("album")
heading = top()
bob.go("/library")
assert top() == heading, (top(), heading)
bob.choose(2).choose(3).press("Add to album").press("Summer\n2 items").has_soon("2 items added to")
bob.press("Undo").has_soon("2 items removed from")
found = json.loads(photolala("list", "--album", "summer", "--json"))
assert [photo["path"] for photo in found["photos"]] == ["beach.png", "lake.png"], found

# The choice is over the grid, which keeps its place and its selection until something is added.
focused = lambda: bob.script("return document.activeElement.textContent.trim()")
bob.go("/library").script("window.isSame = true")
bob.choose(2).press("Add to album")
bob.until(lambda: focused() == "New album" and not bob.all("[name=name]")[0].is_displayed())
ActionChains(bob.driver).send_keys(Keys.ESCAPE).perform()
bob.until(lambda: not bob.all("#question[open]")).has("1 selected").is_at("/library")
assert focused() == "Add to album", focused()
bob.press("Add to album").named("New album").click()
bob.fill("name", "summer").press("Create").has("Enter a name of at most 80 characters").check("album-choice-refused")
bob.fill("name", "Gone").press("Create").has_soon("1 item added to")
bob.until(lambda: not bob.all(".grid :checked")).is_at("/library")
assert bob.script("return window.isSame"), "the page is another one"
bob.press("Undo").has_soon("1 item removed from")

# With many albums, their names are found by their words; Enter chooses the first.
for number in range(8):
    photolala("album", "create", f"Trip {number} to Österreich")
bob.go("/library").choose(0).press("Add to album")
field = bob.all("#question .filter")[0]
field.send_keys("nothing")
bob.has_soon("No albums found")
field.clear()
field.send_keys("osterr 5")
shown = lambda: [each.text.split("\n")[0] for each in bob.all("#question .choices button") if each.is_displayed()]
bob.until(lambda: shown()[1:] == ["Trip 5 to Österreich"], "not only what has the words is shown")
bob.check("album-filter")
field.send_keys(Keys.ENTER)
bob.has_soon("1 item added to")
for number in range(8):
    photolala("album", "delete", f"Trip {number} to Österreich", "--yes")

# Without scripts the choice is a page, which offers no pictures.
bob.script_is_off(True).go("/library").choose(1).press("Add to album").is_at("/library/albums/add").has("1 selected")
bob.fill("name", "Paper").press("Create").is_at("/library").has("1 item added to").script_is_off(False)
photolala("album", "delete", "Gone", "--yes")
photolala("album", "delete", "Paper", "--yes")

# The command line and the pages change the same albums.
photolala("album", "create", "Winter")
photolala("album", "add", "winter", "snow.png", "lake.png")
bob.go("/library/albums").has("Summer", "Winter").check("albums").press("Winter\n2 items").has("Edit album")
assert names() == ["lake.png", "snow.png"], names()

# The photos beside a photo are those of the album, and so is the way back; a photo can be added from its page.
bob.all(".grid a")[0].click()
bob.until(lambda: bob.path.startswith("/library/photo"))
assert "album=" in bob.path
bob.named("Older").click()
bob.until(lambda: bob.photo.startswith("snow.png"))
bob.named("Information").click()
listed = lambda: [link.get_attribute("textContent") for link in bob.all("#albums a")]
assert listed() == ["Winter"], listed()
bob.until(lambda: bob.all("#albums a")[0].is_displayed()).check("photo-album").press("Add to album").press("Summer\n2 items")
assert listed() == ["Summer", "Winter"], listed()
# The information stays open.
bob.until(lambda: bob.all("#albums a")[0].is_displayed()).press("Summer").until(lambda: bob.title == "Summer")
bob.driver.back()
bob.until(lambda: bob.photo.startswith("snow.png")).all("#back")[0].click()
bob.until(lambda: bob.title == "Winter")

# A photo becomes the cover of the album, on the page and in the command line.
cover = lambda: bob.until(lambda: bob.script("return document.querySelectorAll('.albums img').length") == 2).script(
    "return [...document.querySelectorAll('.albums a')].find(link => link.textContent.includes('Winter')).querySelector('img').src.split('?')[0]")
newest = bob.go("/library/albums") and cover()
bob.press("Winter\n2 items").all(".grid a")[1].click()
bob.until(lambda: bob.photo.startswith("snow.png")).named("Information").click()
bob.has_soon("Use as album cover").press("Use as album cover").has_soon("This photo is the album’s cover")
bob.named("Information").click()
bob.has_soon("Use the newest photo as cover").check("photo-cover")
bob.go("/library/albums")
chosen = cover()
assert chosen != newest, chosen
photolala("album", "cover", "winter", "--newest")
assert bob.go("/library/albums") and cover() == newest
photolala("album", "cover", "winter", "snow.png")
assert bob.go("/library/albums") and cover() == chosen

# Photos are removed from an album, not from the library.
bob.press("Albums").press("Winter\n2 items").choose(0).press("Remove from album").has_soon("1 item removed from")
assert names() == ["snow.png"], names()
bob.press("Undo").has_soon("1 item added to")
assert names() == ["lake.png", "snow.png"], names()

# A single photo becomes the cover from the toolbar of the album.
use = lambda: bob.all(".bar [name=cover]")[0]
bob.choose(0).choose(1)
assert not use().is_displayed()
bob.choose(1).until(lambda: use().is_displayed())
# On phones the names of the acts do not touch.
bob.driver.set_window_size(390, 900)
spans = bob.script("""return Array.from(document.querySelectorAll(".bar button:not([hidden], #clear) span"),
    each => each.getBoundingClientRect().toJSON())""")
assert len(spans) == 8, spans
apart = lambda one, other: one["right"] + 3 <= other["left"] or other["right"] + 3 <= one["left"] or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
assert all(apart(one, other) for at, one in enumerate(spans) for other in spans[at + 1:]), spans
bob.check("album-selected").driver.set_window_size(1280, 900)
use().click()
bob.has_soon("This photo is the album’s cover")
bob.go("/library/albums")
assert cover() == newest
bob.press("Winter\n2 items")

# A long title has a line of its own, or at least half of one.
for width in (390, 768, 1200, 1280, 1920):
    bob.driver.set_window_size(width, 900)
    title, line = bob.script("""const [title, line] = ["h1", ".heading"].map(each => document.querySelector(each))
        title.firstElementChild.textContent = "A long weekend in the mountains with all of the family and friends"
        return [title.clientWidth, line.clientWidth]""")
    assert title >= line / 2 - 1, (width, title, line)
bob.driver.set_window_size(1280, 900)
bob.go("/library/albums").press("Winter\n2 items")

# An album is renamed and deleted.
bob.press("Edit album").fill("name", "summer").press("Save").has("Enter a name of at most 80 characters")
bob.fill("name", "Snow & ice <3").check("album-edit").press("Save").until(lambda: bob.title == "Snow & ice <3")
bob.press("Edit album").press("Delete album").has("Delete the album “Snow & ice <3”?", "stay in your library")
bob.check("album-delete").press("Delete album").is_at("/library/albums").has("Album deleted", "Summer")
albums = json.loads(photolala("album", "list", "--json"))["albums"]
assert [(album["name"], album["photos"]) for album in albums] == [("Summer", 3)], albums
bob.go("/library")
assert len(names()) == 4, names()

# Photos are chosen for an album among all photos. Those that it has cannot be chosen again.
bob.go("/library/albums").press("Summer\n3 items").press("Add photos").is_at("/library").has("Add to “Summer”", "0 selected")
choice = bob.path
assert len(bob.all(".grid input:disabled")) == 3 and len(names()) == 4, names()
bob.check("album-photos").all(".grid li:has(:disabled) a")[0].click()
bob.has("0 selected").is_at("/library")
assert not bob.named("Add to “Summer”").is_enabled()
# A search and a filter keep what is chosen. Cancel ends it.
bob.script("document.querySelector('.grid li:not(:has(:disabled)) a').focus()")
ActionChains(bob.driver).send_keys(Keys.SPACE).perform()
bob.has("1 selected").check("album-photos-selected").all(".search input")[0].send_keys("snow", Keys.ENTER)
bob.until(lambda: names() == ["snow.png"]).has_soon("1 selected").all(".filters a")[1].click()
bob.until(lambda: "kind=" in bob.path).has_soon("1 selected")
bob.press("Cancel").until(lambda: bob.title == "Summer").press("Add photos").has("0 selected")
free = lambda: bob.script("return [...document.querySelectorAll('.grid input')].findIndex(box => !box.disabled)")
bob.choose(free()).press("Add to “Summer”").until(lambda: bob.title == "Summer").has_soon("1 item added to “Summer”")
assert len(names()) == 4, names()
bob.press("Undo").has_soon("1 item removed from “Summer”")
assert len(names()) == 3, names()
bob.script_is_off(True).go(choice).choose(free()).press("Add to “Summer”")
bob.has("1 item added to “Summer”").script_is_off(False).go(choice)
assert len(bob.all(".grid input:disabled")) == 4
photolala("album", "remove", "summer", "city.png")

# While the server does not answer, the page says so, and the wait can be ended. Nothing is selected during it.
def latency(milliseconds):
    bob.driver.execute_cdp_cmd("Network.enable", {})
    bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1})
bob.go("/library").choose(0)
latency(20000)
bob.named("Add to album").click()
bob.script("document.querySelectorAll('.grid input')[1].click()")
bob.has_soon("Waiting for the server").check("question-waiting")
bob.named("Cancel").click()
latency(0)
bob.until(lambda: not bob.all("#question[open]")).has("1 selected")

# A session that replaced that of the page is used; without one the way leads through the sign-in back to the selection.
first = bob.driver.current_window_handle
bob.driver.delete_all_cookies()
bob.driver.switch_to.new_window("tab")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")
bob.driver.close()
bob.driver.switch_to.window(first)
bob.press("Add to album").has("1 selected", "New album").press("Summer\n3 items").has_soon("0 items added to “Summer”")
bob.choose(3).driver.delete_all_cookies()
bob.named("Add to album").click()
bob.arrives("/sign-in").press("Sign in with Apple").press("bob").is_at("/library").has_soon("1 selected")
# What was typed before is in the dialog again.
bob.press("Add to album").named("New album").click()
bob.fill("name", "Typed before").driver.delete_all_cookies()
bob.named("Create").click()
bob.arrives("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")
bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open again")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Typed before"
bob.press("Create").has_soon("1 item added to “Typed before”")
photolala("album", "delete", "Typed before", "--yes")
bob.go("/library").choose(3)
# An act that is refused for that changes nothing on the page. Of another account, the page shows its own photos.
bob.driver.delete_all_cookies()
bob.named("Move to trash").click()
bob.arrives("/sign-in").press("Sign in with Apple").press("bob").is_at("/library").has_soon("1 selected")
bob.driver.delete_all_cookies()
bob.driver.switch_to.new_window("tab")
bob.go("/create-account").press("Create account with Apple").press("alice").is_at("/library")
bob.driver.close()
bob.driver.switch_to.window(first)
bob.until(lambda: bob.all("#nothing"), "the photos of another account stay").is_at("/library")
bob.driver.delete_all_cookies()
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")

# What is removed from an album that is deleted then has no undo: its notice gives way to what happened.
photolala("album", "create", "Short")
photolala("album", "add", "Short", "snow.png", "lake.png")
bob.go("/library/albums").press("Short\n2 items").choose(0).press("Remove from album").has_soon("1 item removed from")
photolala("album", "delete", "Short", "--yes")
bob.named("Undo").click()
bob.until(lambda: bob.all("#question[open]")).has_soon("This album was deleted")
assert not bob.all(".toast"), bob.all(".toast")[0].text

# Photos that were chosen for an album that was deleted elsewhere are offered to the others, and stay chosen.
photolala("album", "create", "Lost")
lost = bob.go("/library/albums").press("Lost\n0 items").press("Select from your photos").choose(0).path
photolala("album", "delete", "Lost", "--yes")
bob.press("Add to “Lost”").has("This album was deleted", "1 selected", "Summer").check("album-gone")
bob.go(lost).has("This album was deleted").all("main a[href$='#chosen']")[0].click()
bob.until(lambda: bob.title == "Your photos").has_soon("1 selected").is_at("/library")
bob.go("/library/albums")
# Without a connection, no album is created, and the page stays.
bob.script("window.isSame = true")
bob.blocks(SERVER + "/library/albums/new", SERVER + "/manifest.webmanifest").named("New album").click()
bob.until(lambda: "need" in bob.script("return document.querySelector('#offline').textContent"))
assert bob.script("return window.isSame")
bob.blocks()

# A day of several blocks is selected at once.
for number in range(130):
    png(f"camera/day/{number:03}.png", (number, 9, 9), 32, 24, date=MAY - 500 * 86400 + number)
photolala("backup", "camera")
bob.go("/library?q=day")
ActionChains(bob.driver).move_to_element(bob.all(".day h3")[0]).click(bob.all(".tick")[0]).perform()
bob.has_soon("130 selected").press("Add to album").press("Summer\n3 items").has_soon("130 items added to")
# An album of one month, whose days are below its title, does not repeat the month.
photolala("album", "create", "January 2023")
photolala("album", "add", "January 2023", *[f"day/{number:03}.png" for number in range(40)])
bob.go("/library/albums").press("January 2023\n40 items").until(lambda: len(bob.pictures()) == 40)
assert not bob.all("#timeline > section > h2") and bob.all(".grid h3")[0].text.startswith("Jan 1, 2023"), bob.text
photolala("album", "delete", "January 2023", "--yes")

# The tile of a panorama, of whose thumbnail it shows a low part, has a larger picture.
png("camera/wide.png", (9, 120, 200), 2400, 200, date=MAY - 300 * 86400)
photolala("backup", "camera")
photolala("album", "create", "Wide")
photolala("album", "add", "wide", "wide.png")
tile = "return [...document.querySelectorAll('.albums a')].find(each => each.innerText.startsWith('Wide')).querySelector('img').naturalHeight"
bob.go("/library/albums").until(lambda: bob.script(tile) == 200, "the tile of a panorama is not sharp")
photolala("album", "delete", "Wide", "--yes")

# Photos that are uploaded on the page of an album are in it afterwards, also one that the library had.
bob.go("/library/albums").press("New album").check("album-new").fill("name", "Trip").press("Create").until(lambda: bob.title == "Trip")
bob.has("No photos in this album yet", "Upload photos here").check("album-empty")
assert bob.named("Upload").is_displayed()
bob.press("Select from your photos").is_at("/library").has("Add to “Trip”").press("Cancel")
bob.until(lambda: bob.title == "Trip").bring([png("trip.png", (250, 9, 9), date=MAY), "camera/snow.png"]).has_soon("The photos are in 1 album.")
bob.until(lambda: names() == ["trip.png", "snow.png"]).check("album-uploaded")

# So are those that are chosen there while another section uploads, whose photos are not.
bob.go("/library/favorites").slow(2000).bring([png("long.png", (9, 9, 250), 2000, 1500, date=MAY)])
bob.has_soon("New photos appear in “Photos”.").named("Albums").click()
bob.until(lambda: bob.all(".browsing")).driver.switch_to.frame("browsing")
bob.until(lambda: bob.title == "Albums").named("Trip\n2 items").click()
bob.until(lambda: bob.title == "Trip").bring([png("late.png", (9, 250, 9), date=MAY)])
bob.driver.switch_to.default_content()
bob.slow(-1).has_soon("2 photos uploaded.").has_soon("The photos are in 1 album.")
found = json.loads(photolala("list", "--album", "trip", "--json"))
assert [photo["path"].split("/")[-1] for photo in found["photos"]] == ["late.png", "trip.png", "snow.png"], found

# A cover without a thumbnail is an icon.
film = pathlib.Path("camera/film.avi")
film.write_bytes(b"RIFF\xf8\x03\0\0AVI LIST" + bytes(1008))
photolala("backup", "camera")
photolala("album", "create", "Film")
photolala("album", "add", "film", "film.avi")
bob.go("/library/albums").has("Film\n1 item").until(lambda: len(bob.all(".cover img")) == len(bob.all("li:not(.new) .cover")) - 1)
assert all(icon.is_displayed() for icon in bob.all(".cover:not(:has(img)) .icon"))

# On phones, the notice has its text on one line, and then what can be done.
size = lambda width: bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False})
size(390)
bob.go("/library").choose(0).press("Add to album")
bob.all("button[name=target]")[-1].click()
bob.until(lambda: bob.all("#undo:not([hidden]) button") and bob.all("#done")[0].text).check("album-added")
size(390)
text, show, undo = [bob.all(selector)[0].rect for selector in ("#done", ".toast > a", "#undo button")]
assert text["height"] < 30 and show["height"] < 30 and text["y"] + text["height"] <= undo["y"], (text, show, undo)
assert show["x"] + show["width"] <= undo["x"], (show, undo)

# Nothing moves while a slow device reads a page and when its scripts start, neither with a mouse nor on phones.
bob.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 6})
for width, is_touch in ((1280, False), (390, True)):
    bob.touch(is_touch)
    size(width)
    album = bob.go("/library/albums").all(".albums li:not(.new) a")[0].get_attribute("href")
    empty = bob.press("New album").fill("name", f"Empty {width}").press("Create").path
    for path in ["/library", "/library/albums", album, empty, empty.replace("album=", "for="), "/library/favorites", "/library?q=png", "/account", "/account/devices", "/account/activity"]:
        moved = bob.go(path).moved()
        assert moved < 0.001, (width, path, moved)
print("DONE")
