"""Bob reads the details of his photos: camera, exposure and place, which his browser finds in the originals."""
import os, pathlib
from pictures import box, exif, heic, jpeg, png, video, with_exif
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200
TOKYO, SYDNEY = (35.6895, 139.6917), (-33.8568, 151.2153)
folder = pathlib.Path("camera")
folder.mkdir()
number = 0


def day():
    """Returns a date one day before the last one: the photos are shown in the order in which they are made."""
    global number
    number += 1
    return MAY - number * 86400


camera = {"make": "Canon", "model": "Canon EOS R5", "lens": "RF24-70mm F2.8 L"}
files = [
    with_exif(jpeg(folder / "tokyo.jpg", (60, 90, 220), date=day()), exif(TOKYO, **camera)),
    with_exif(png(folder / "phone.png", (90, 220, 90), date=day()), exif(make="Apple", model="iPhone 15")),
    heic(folder / "sydney.heic", exif(SYDNEY, make="NIKON CORPORATION", model="NIKON D750"), day()),
    # The frames are filled up to a constant size.
    video(folder / "harbour.mov", "-metadata", "location=-33.8568+151.2153+010/", "-x264-params", "nal-hrd=cbr:filler=1",
          *[word for name in ("b:v", "maxrate", "minrate", "bufsize") for word in (f"-{name}", "4M")], date=day(), seconds=9),
    png(folder / "plain.png", (220, 90, 90), date=day()),
]
# Malformed files: directories that lead to themselves, and sizes, counts and offsets outside of the file.
hostile = {
    "loop": exif()[:4] + b"\x08\0\0\0\x02\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x25\x88\x04\0\x01\0\0\0\x08\0\0\0",
    "count": exif()[:4] + b"\x08\0\0\0\xff\xff" + b"\x0f\x01\x02\0\xff\xff\xff\xff\xff\xff\xff\xff" * 99,
    "markup": exif(make="<img src=x onerror=alert(1)>\u202e\u0007", model="<b>x</b>"),
}
for name, metadata in hostile.items():
    files.append(with_exif(jpeg(folder / f"{name}.jpg", (9, 9, 9 * len(name)), date=day()), metadata))
nested = b""
for _ in range(500):
    nested = box(b"trak", nested, box(b"mdia"))
for name, content in {
    "nested": box(b"moov", nested), "huge": b"\0\0\0\x01moov" + b"\xff" * 8 + b"\0\0\0\0trak",
    "cut": b"\0\0\0\x63moov\0\0",
}.items():
    path = folder / f"{name}.mp4"
    path.write_bytes(box(b"ftyp", b"isom\0\0\0\0isom") + content)
    date = day()
    os.utime(path, (date, date))
    files.append(str(path))

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
bob.bring(files).has_soon(f"{len(files)} photos and videos uploaded.")
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
# What the details read: the ranges of all requests, and the bytes of the responses.
record = """window.read = { ranges: [], bytes: 0 }; const plain = window.fetch;
    window.fetch = async (address, options) => {
      const response = await plain(address, options);
      if (options?.headers?.range) {
        window.read.ranges.push(options.headers.range);
        window.read.bytes += Number(response.headers.get('content-length'));
      }
      return response;
    }"""


def details(browser=None):
    """Returns the rows of the details by label once they have been read, with those that the library has."""
    browser = browser or bob
    browser.until(lambda: browser.all("#details:not([data-original])"), "the details are not read")
    return browser.script("""const known = document.querySelectorAll('#info > dl:first-of-type dt:not(:first-child)');
        return Object.fromEntries(Array.from([...known, ...document.querySelectorAll('#details dt')],
        label => [label.textContent, label.nextElementSibling.textContent]))""")


def turn(name):
    keys(Keys.ARROW_RIGHT)
    bob.until(lambda: bob.photo.startswith(name))


# Nothing is read before the information is shown.
bob.go("/library").all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])")).script(record)
assert bob.photo.startswith("tokyo.jpg") and bob.script("return window.read.ranges") == []
keys("i")
found = details()
place = found.pop("Location", None)
assert found == {"Camera": "Canon EOS R5", "Lens": "RF24-70mm F2.8 L",
                 "Exposure": "1/120\u00a0s · ƒ/1.8 · ISO\u00a064 · 26\u00a0mm"}, found
assert bob.script("return window.read.ranges") == ["bytes=0-65535"]
# The place is on a map that is a file of the server, and links to a larger one.
[link] = bob.all("#info a[href*='openstreetmap']")
assert link.text == "Open in OpenStreetMap" and link.get_attribute("rel") == "noopener noreferrer"
marker = "return ['cx', 'cy'].map(name => Number(document.querySelector('.map circle').getAttribute(name)))"
assert bob.script(marker) == [139.6917, -35.6895], bob.script(marker)
assert bob.all(".map")[0].accessible_name == "Map: 35.68950, 139.69170"
# It is a region, large enough to be read.
shown = bob.script("""const map = document.querySelector(".map"), { x, y, width, height } = map.viewBox.baseVal
    const box = map.getBoundingClientRect(); return [x, y, width, height, box.width, box.height]""")
assert shown[2] <= 60 and shown[4] >= 300 and shown[5] >= 180, shown
assert abs(shown[0] + shown[2] / 2 - 139.6917) < 1e-3 and abs(shown[1] + shown[3] / 2 + 35.6895) < 1e-3, shown
image = bob.script("return document.querySelector('.map image').href.baseVal")
assert image.startswith(SERVER + "/assets/"), image
assert bob.script("return fetch(document.querySelector('.map image').href.baseVal).then(response => response.ok)")
# What is most interesting comes first, the file last.
labels = [label.text for label in bob.all("#info dl:not(.keys) dt")]
assert labels[:4] == ["Date", "Camera", "Lens", "Exposure"], labels
assert labels.index("Location") < labels.index("Size") < labels.index("File name"), labels
bob.check("details")
# Shown again, nothing is read again.
keys("i", "i")
assert len(bob.all("#details dt")) == len(bob.all("#details dd")) == (3 if place else 2)
assert bob.script("return window.read.ranges.length") == 1

# While the information is shown, each photo's details follow.
turn("phone.png")
found = details()
assert found["Camera"] == "Apple iPhone 15" and "Location" not in found and not bob.all(".map"), found
turn("sydney.heic")
assert details()["Camera"] == "NIKON D750" and bob.script(marker) == [151.2153, 33.8568]
assert "151.21530" in bob.all("#info")[0].text

# Of a large video only the parts with its facts are read.
size = (folder / "harbour.mov").stat().st_size
assert size > 2_000_000, size
bob.script("window.read.bytes = 0")
turn("harbour.mov")
found = details()
assert found["Duration"] == "0:09" and found["Codecs"] == "H.264, AAC", found
assert bob.script(marker) == [151.2153, 33.8568]
assert 0 < bob.script("return window.read.bytes") < 400_000, bob.script("return window.read")
bob.check("details-video")

# Without metadata, or with malformed metadata, there are no rows. Texts are never markup.
turn("plain.png")
assert details() == {} and not bob.all("#details")[0].is_displayed()
for name in hostile:
    turn(f"{name}.jpg")
    found = details()
    if name == "markup":
        assert found["Camera"] == "<img src=x onerror=alert(1)> <b>x</b>", found
        assert not bob.all("#details img, #details b")
    else:
        assert not {"Camera", "Location"} & set(found), (name, found)
for name in ("nested", "huge", "cut"):
    turn(f"{name}.mp4")
    assert details() == {}, name

# Numbers are written in the language of the page.
bob.go("/library").menu("Deutsch").all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
keys("i")
found = details()
assert found["Kamera"] == "Canon EOS R5" and found["Belichtung"].startswith("1/120\u00a0s · ƒ/1,8 · "), found

# Visitors of a shared link see no details, and nothing is read for them.
bob.go("/library").named("Konto und Einstellungen").click()
bob.press("English").all(".grid a")[0].click()
bob.arrives("/library/photo").press("Share").press("Create link")
link = bob.driver.find_element("id", "address").get_attribute("value")
ann = Browser()
ann.go(link).all(".grid a")[0].click()
ann.until(lambda: ann.all("#slideshow")).script(record)
ActionChains(ann.driver).send_keys("i").perform()
ann.until(lambda: "Dimensions" in ann.text).has_not("Canon", "35.68")
assert not ann.all("#details, .map, [data-latitude]") and ann.script("return window.read.ranges") == []
ann.close()

# Without scripts, the information is that of the server.
bob.script_is_off(True).go("/library").all(".grid a")[0].click()
bob.arrives("/library/photo").named("Information").click()
bob.has("Dimensions", "tokyo.jpg").has_not("RF24-70mm")
assert not bob.all("#details")[0].is_displayed()
names = lambda: [image.get_attribute("alt").split(",")[0] for image in bob.all(".grid img")]
chosen = lambda: [link.text for link in bob.all(".filters [aria-current]")]
cameras = lambda: [link.text for link in bob.all(".filters ul:last-child a")]
# The camera leads to all its photos, and a search offers the others, after the chosen one.
bob.press("Canon EOS R5").is_at("/library")
assert names() == ["tokyo.jpg"] and chosen() == ["All", "Canon EOS R5"], (names(), chosen())
others = cameras()[1:]
assert cameras()[0] == "Canon EOS R5" and {"NIKON D750", "Apple iPhone 15"} < set(others), cameras()
bob.press("NIKON D750")
assert names() == ["sydney.heic"] and chosen() == ["All", "NIKON D750"] and cameras()[0] == "NIKON D750", (names(), cameras())
# The next search keeps camera and kind, also if it finds nothing; they are removed at once, or one by one.
bob.all(".filters a")[1].click()
bob.until(lambda: chosen() == ["Photos", "NIKON D750"]).fill("q", "tokyo")
bob.driver.find_element("name", "q").send_keys(Keys.ENTER)
bob.until(lambda: "0 results" in bob.text)
assert chosen() == ["Photos", "NIKON D750"] and cameras() == ["NIKON D750", "Canon EOS R5"], (chosen(), cameras())
bob.press("Remove all filters").has("1 result")
assert names() == ["tokyo.jpg"] and chosen() == ["All"] and bob.path == "/library?q=tokyo", (bob.path, chosen())
bob.press("Canon EOS R5").press("Canon EOS R5")
assert bob.path == "/library?q=tokyo" and chosen() == ["All"], (bob.path, chosen())
bob.go("/library?q=iphone")
assert names() == ["phone.png"], names()
bob.script_is_off(False)
bob.go("/library?q=iphone").check("search-cameras")
# On phones, the chosen filters are visible.
bob.driver.set_window_size(390, 900)
bob.go("/library?kind=raw&favorites=1&camera=NIKON%20D750").check("search-filtered")
sides = bob.script("""return [...document.querySelectorAll(".filters [aria-current]")].map(link => {
    const { left, right } = link.getBoundingClientRect(); return left >= 0 && right <= innerWidth; })""")
assert len(chosen()) == 3 and sides == [True] * 3, (chosen(), sides)
bob.close()
print("DONE")
